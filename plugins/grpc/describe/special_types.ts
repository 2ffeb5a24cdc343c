/**
 * The well-known types whose JSON is not an object with their fields.
 * See https://protobuf.dev/programming-guides/json/.
 *
 * @module
 */
import { type DescMessage, ScalarType } from "@bufbuild/protobuf";

/** What the JSON of a well-known type is. */
export type SpecialForm =
  | { readonly form: "timestamp" | "duration" | "mask" | "object" | "value" | "list" | "any" }
  | { readonly form: "scalar"; readonly scalar: ScalarType };

const PREFIX = "google.protobuf.";

const FORMS: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ["Timestamp", { form: "timestamp" }],
  ["Duration", { form: "duration" }],
  ["FieldMask", { form: "mask" }],
  ["Struct", { form: "object" }],
  ["Value", { form: "value" }],
  ["ListValue", { form: "list" }],
  ["Any", { form: "any" }],
  ["DoubleValue", { form: "scalar", scalar: ScalarType.DOUBLE }],
  ["FloatValue", { form: "scalar", scalar: ScalarType.FLOAT }],
  ["Int64Value", { form: "scalar", scalar: ScalarType.INT64 }],
  ["UInt64Value", { form: "scalar", scalar: ScalarType.UINT64 }],
  ["Int32Value", { form: "scalar", scalar: ScalarType.INT32 }],
  ["UInt32Value", { form: "scalar", scalar: ScalarType.UINT32 }],
  ["BoolValue", { form: "scalar", scalar: ScalarType.BOOL }],
  ["StringValue", { form: "scalar", scalar: ScalarType.STRING }],
  ["BytesValue", { form: "scalar", scalar: ScalarType.BYTES }],
]);

/** The JSON form of a message that has one of its own. */
export function specialForm({ typeName }: DescMessage): SpecialForm | undefined {
  return typeName.startsWith(PREFIX) ? FORMS.get(typeName.slice(PREFIX.length)) : undefined;
}

/** The name of a scalar type as `.proto` files have it. */
export function scalarName(scalar: ScalarType): string {
  return ScalarType[scalar].toLowerCase();
}
