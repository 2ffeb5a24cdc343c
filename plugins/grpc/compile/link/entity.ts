/**
 * What has a name: packages, and all that files declare in them.
 *
 * @module
 */
import type {
  DescriptorProto,
  Edition,
  EnumDescriptorProto,
  EnumValueDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  MethodDescriptorProto,
  OneofDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import type { ParsedFile } from "../syntax/tree.ts";

/** A file as the linker sees it. */
export interface LinkedFile {
  readonly proto: FileDescriptorProto;
  readonly edition: Edition;
  /** Absent for a file that was compiled before. */
  readonly parsed: ParsedFile | undefined;
  /** What a file that imports it may use besides. */
  readonly publicImports: readonly LinkedFile[];
}

/** What a name stands for. */
export type Meaning =
  | { readonly kind: "package" }
  | { readonly kind: "message"; readonly proto: DescriptorProto }
  | { readonly kind: "enum"; readonly proto: EnumDescriptorProto }
  | {
    readonly kind: "value";
    readonly proto: EnumValueDescriptorProto;
    readonly of: EnumDescriptorProto;
  }
  | { readonly kind: "field"; readonly proto: FieldDescriptorProto }
  | { readonly kind: "extension"; readonly proto: FieldDescriptorProto }
  | { readonly kind: "oneof"; readonly proto: OneofDescriptorProto }
  | { readonly kind: "service"; readonly proto: ServiceDescriptorProto }
  | { readonly kind: "method"; readonly proto: MethodDescriptorProto };

/** A name in its place. */
export class Entity<M extends Meaning = Meaning> {
  readonly name: string;
  readonly meaning: M;
  /** The package, message or service around it. */
  readonly parent: Entity | undefined;
  /** The file that declares it; a package has none. */
  readonly file: LinkedFile | undefined;
  #members: Map<string, Entity> | undefined;
  #absoluteName: string | undefined;

  constructor(name: string, meaning: M, parent?: Entity, file?: LinkedFile) {
    this.name = name;
    this.meaning = meaning;
    this.parent = parent;
    this.file = file;
  }

  /** With the names around it: `package.Message.field`. */
  get fullName(): string {
    return this.absoluteName.slice(1);
  }

  /** The full name after a dot, as descriptors refer to types. */
  get absoluteName(): string {
    const around = this.parent?.absoluteName ?? "";
    return this.#absoluteName ??= this.parent === undefined ? "" : `${around}.${this.name}`;
  }

  /** The nameless package around everything. */
  get root(): Entity {
    return this.parent?.root ?? this;
  }

  /** What has this name in it. */
  member(name: string): Entity | undefined {
    return this.#members?.get(name);
  }

  /** Gives a name to something in it. */
  add(member: Entity): void {
    this.#members ??= new Map();
    this.#members.set(member.name, member);
  }

  /** What a name with dots stands for, seen from here. */
  find(fullName: string): Entity | undefined {
    return fullName.split(".").reduce<Entity | undefined>(
      (found, name) => found?.member(name),
      this,
    );
  }
}

/** A message. */
export type MessageEntity = Entity<Extract<Meaning, { kind: "message" }>>;
/** A field or an extension. */
export type FieldEntity = Entity<Extract<Meaning, { kind: "field" | "extension" }>>;

/** The value with this name of an enum: values lie beside their enum. */
export function valueOf(declared: Entity, name: string): EnumValueDescriptorProto | undefined {
  const { meaning } = declared;
  const found = declared.parent?.member(name)?.meaning;
  if (meaning.kind !== "enum" || found?.kind !== "value") return undefined;
  return found.of === meaning.proto ? found.proto : undefined;
}

/** Whether an entity is a message. */
export function isMessage(entity: Entity | undefined): entity is MessageEntity {
  return entity?.meaning.kind === "message";
}

/** Whether an entity is a field of a message. */
export function isField(entity: Entity | undefined): entity is FieldEntity {
  return entity?.meaning.kind === "field";
}

/** Whether an entity is an extension. */
export function isExtension(entity: Entity | undefined): entity is FieldEntity {
  return entity?.meaning.kind === "extension";
}
