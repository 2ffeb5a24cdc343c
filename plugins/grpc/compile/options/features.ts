/**
 * How a field is encoded: the features of editions, inherited from what is around it.
 *
 * @module
 */
import { isFieldSet } from "@bufbuild/protobuf";
import {
  Edition,
  type FeatureSet,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { type Entity, type FieldEntity, isMessage } from "../link/entity.ts";
import { messageTypeOf } from "./value.ts";

const NOT_PACKABLE: ReadonlySet<Type> = new Set([
  Type.STRING,
  Type.BYTES,
  Type.MESSAGE,
  Type.GROUP,
]);

/** Whether all elements of a repeated field stand in one record. */
export function isPacked(field: FieldEntity): boolean {
  const { label, type, options } = field.meaning.proto;
  if (label !== Label.REPEATED || NOT_PACKABLE.has(type)) return false;
  if (options !== undefined && isFieldSet(options, FieldOptionsSchema.field.packed)) {
    return options.packed;
  }
  if (field.file?.edition === Edition.EDITION_PROTO2) return false;
  const encoding = featureOf(field, ({ repeatedFieldEncoding }) => repeatedFieldEncoding);
  return encoding !== FeatureSet_RepeatedFieldEncoding.EXPANDED;
}

/** Whether a message field is encoded between two tags, as groups are; maps never are. */
export function isDelimited(field: FieldEntity): boolean {
  if (field.meaning.proto.type === Type.GROUP) return true;
  if (isMapEntry(field.parent) || isMapEntry(messageTypeOf(field))) return false;
  const encoding = featureOf(field, ({ messageEncoding }) => messageEncoding);
  return encoding === FeatureSet_MessageEncoding.DELIMITED;
}

function isMapEntry(entity: Entity | undefined): boolean {
  return isMessage(entity) && entity.meaning.proto.options?.mapEntry === true;
}

/** The innermost value of a feature; 0 when nobody sets it. */
function featureOf(field: FieldEntity, valueOf: (features: FeatureSet) => number): number {
  for (let at: Entity | undefined = field; at !== undefined; at = at.parent) {
    const value = valueIn(at, valueOf);
    if (value !== 0) return value;
  }
  const features = field.file?.proto.options?.features;
  return features === undefined ? 0 : valueOf(features);
}

function valueIn({ meaning }: Entity, valueOf: (features: FeatureSet) => number): number {
  if (meaning.kind === "package") return 0;
  const features = meaning.proto.options?.features;
  return features === undefined ? 0 : valueOf(features);
}
