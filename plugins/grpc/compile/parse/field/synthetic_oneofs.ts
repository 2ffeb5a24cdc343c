/**
 * The oneofs that stand for `optional` of proto3.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import { type DescriptorProto, OneofDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** Gives each optional field a oneof of its own, after the ones that were written. */
export function declareSyntheticOneofs(message: DescriptorProto): void {
  const optional = message.field.filter(({ proto3Optional }) => proto3Optional);
  if (optional.length === 0) return;
  const taken = new Set([...message.field, ...message.oneofDecl].map(({ name }) => name));
  for (const field of optional) {
    let name = field.name.startsWith("_") ? field.name : `_${field.name}`;
    while (taken.has(name)) name = `X${name}`;
    taken.add(name);
    field.oneofIndex = message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name })) - 1;
  }
}
