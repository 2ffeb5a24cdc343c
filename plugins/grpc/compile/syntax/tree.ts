/**
 * What the parser hands to the linker: a descriptor, and what cannot be put in it yet.
 *
 * @module
 */
import type { Message } from "@bufbuild/protobuf";
import type {
  DescriptorProto,
  DescriptorProto_ExtensionRange,
  EnumDescriptorProto,
  EnumValueDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  MethodDescriptorProto,
  OneofDescriptorProto,
  ServiceDescriptorProto,
  SourceCodeInfo_Location,
} from "@bufbuild/protobuf/wkt";
import type { Source } from "../failure.ts";

/** One part of an option's name: `deprecated`, or `(company.rule)` as an extension. */
export interface OptionNamePart {
  readonly name: string;
  readonly isExtension: boolean;
  readonly offset: number;
}

/** A value as written; what it means depends on the type of the option. */
export type OptionValue =
  & { readonly offset: number }
  & (
    | { readonly kind: "word"; readonly word: string; readonly isNegative: boolean }
    | { readonly kind: "integer"; readonly integer: bigint; readonly isNegative: boolean }
    | { readonly kind: "float"; readonly float: number }
    | { readonly kind: "bytes"; readonly bytes: Uint8Array }
    | { readonly kind: "message"; readonly fields: readonly ValueField[] }
    | { readonly kind: "list"; readonly values: readonly OptionValue[] }
  );

/** `name: value`, `[company.extension]: value` or `[type.googleapis.com/Type] {…}`. */
export interface ValueField {
  /** Without the brackets of an extension. */
  readonly name: string;
  readonly isExtension: boolean;
  /** The part before the type's name, with its slash; only of the content of an `Any`. */
  readonly urlPrefix: string | undefined;
  readonly offset: number;
  readonly value: OptionValue;
}

/** `name = value`. */
export interface OptionStatement {
  readonly name: readonly OptionNamePart[];
  readonly value: OptionValue;
  /** Its comments, if any: the path lacks the numbers that the name stands for. */
  readonly location?: SourceCodeInfo_Location | undefined;
}

/** What may have options. */
export type OptionOwner =
  | FileDescriptorProto
  | DescriptorProto
  | FieldDescriptorProto
  | OneofDescriptorProto
  | DescriptorProto_ExtensionRange
  | EnumDescriptorProto
  | EnumValueDescriptorProto
  | ServiceDescriptorProto
  | MethodDescriptorProto;

/** A file that was parsed but not yet linked. */
export interface ParsedFile {
  readonly source: Source;
  /** Names of types are as written, options are missing. */
  readonly proto: FileDescriptorProto;
  readonly offsets: ReadonlyMap<Message, number>;
  /** By the part of the descriptor that they belong to. */
  readonly options: ReadonlyMap<OptionOwner, readonly OptionStatement[]>;
  /** Ranges that get the options of another range, the first one of their statement. */
  readonly twins: ReadonlyMap<DescriptorProto_ExtensionRange, DescriptorProto_ExtensionRange>;
  /** Imported paths, with where they stand. */
  readonly imports: ReadonlyMap<string, number>;
  /** What a person should know though it compiles, one sentence each; the linker adds its own. */
  readonly warnings: string[];
}
