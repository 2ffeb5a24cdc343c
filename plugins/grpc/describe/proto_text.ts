/**
 * Declarations as text of `.proto` files, with all types that they need.
 *
 * @module
 */
import type { DescEnum, DescFile, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { Edition, MethodOptionsSchema, ServiceOptionsSchema } from "@bufbuild/protobuf/wkt";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { httpRuleOf } from "../schema/google_api.ts";
import { nameAt, type NamedType, rootOf } from "./text/names.ts";
import { featuresOf, optionsOf, quoted } from "./text/options.ts";
import { asStatement, block, commentLines, typeLines } from "./text/types.ts";

/** Longest text of all types, in UTF-16 units, which the last one may exceed. */
const MAX_LENGTH = 100_000;
const MAX_NAME_LENGTH = 300;

const WELL_KNOWN = /^google\/protobuf\/[a-z_]+\.proto$/;
const ANNOTATIONS = "google/api/annotations.proto";

/** What stands in one file. */
interface Section {
  readonly lines: string[];
  readonly imports: Set<string>;
}

/**
 * The text of a declaration and the types that it needs: one section a file, each begun with its
 * name in a comment, the declaration's first. A type comes with the one that it is nested in.
 * Left out are extensions, options that authors define, except `google.api.http`, and the
 * well-known types, which are imported.
 */
export function protoOf(described: DescMethod | DescService | DescMessage | DescEnum): string {
  const sections = new Map<DescFile, Section>();
  const queue = new Set<NamedType>();
  if (described.kind === "rpc" || described.kind === "service") {
    const service = described.kind === "rpc" ? described.parent : described;
    const methods = described.kind === "rpc" ? [described] : described.methods;
    const section = sectionOf(service.file, sections);
    section.lines.push(...serviceLines(service, methods), "");
    if (methods.some(hasRule)) section.imports.add(ANNOTATIONS);
    for (const type of methods.flatMap(({ input, output }) => [input, output])) {
      addType(type, { section, queue, file: service.file });
    }
  } else {
    queue.add(rootOf(described));
  }
  const left = addTypes(queue, sections);
  return [
    ...[...sections].map(([file, section]) => sectionText(file, section)),
    ...(left === 0 ? [] : [`// ${left} more types are not shown.\n`]),
  ].join("\n");
}

/** Adds the types of a queue and what they need; returns how many there was no room for. */
function addTypes(queue: Set<NamedType>, sections: Map<DescFile, Section>): number {
  let length = 0;
  let left = 0;
  for (const root of queue) {
    if (length >= MAX_LENGTH) {
      left++;
      continue;
    }
    const section = sectionOf(root.file, sections);
    const lines = typeLines(root);
    section.lines.push(...lines, "");
    for (const line of lines) length += line.length;
    for (const type of usedBy(root)) addType(type, { section, queue, file: root.file });
  }
  return left;
}

function addType(
  type: NamedType,
  { section, queue, file }: { section: Section; queue: Set<NamedType>; file: DescFile },
): void {
  if (type.file !== file) section.imports.add(type.file.proto.name);
  if (!WELL_KNOWN.test(type.file.proto.name)) queue.add(rootOf(type));
}

function sectionOf(file: DescFile, sections: Map<DescFile, Section>): Section {
  const section = sections.get(file) ?? { lines: [], imports: new Set() };
  sections.set(file, section);
  return section;
}

/** The types of all fields of a type and of those nested in it. */
function* usedBy(type: NamedType): Generator<NamedType> {
  if (type.kind === "enum") return;
  for (const field of type.fields) {
    const used = field.message ?? field.enum;
    if (used !== undefined) yield used;
  }
  for (const nested of type.nestedMessages) yield* usedBy(nested);
}

function sectionText(file: DescFile, { lines, imports }: Section): string {
  const { proto, edition } = file;
  const name = cleanLine(proto.name, MAX_NAME_LENGTH);
  const head = edition === Edition.EDITION_PROTO2
    ? 'syntax = "proto2";'
    : edition === Edition.EDITION_PROTO3
    ? 'syntax = "proto3";'
    : `edition = "${Edition[edition].replace("EDITION_", "")}";`;
  const packageName = cleanLine(proto.package, MAX_NAME_LENGTH);
  return [
    `// File ${name}`,
    head,
    ...(packageName === "" ? [] : [`package ${packageName};`]),
    ...[...imports].sort().map((path) => `import ${quoted(cleanLine(path, MAX_NAME_LENGTH))};`),
    ...featuresOf(proto.options).map(asStatement),
    "",
    ...lines,
  ].join("\n");
}

function serviceLines(service: DescService, methods: readonly DescMethod[]): string[] {
  return [
    ...commentLines(service),
    ...block(`service ${service.name}`, [
      ...optionsOf(ServiceOptionsSchema, service.proto.options).map(asStatement),
      ...featuresOf(service.proto.options).map(asStatement),
      ...methods.flatMap(methodLines),
    ]),
  ];
}

function methodLines(method: DescMethod): string[] {
  const { proto, parent: { file } } = method;
  const input = `${proto.clientStreaming ? "stream " : ""}${nameAt(method.input, file)}`;
  const output = `${proto.serverStreaming ? "stream " : ""}${nameAt(method.output, file)}`;
  const head = `rpc ${method.name}(${input}) returns (${output})`;
  const options = [
    ...optionsOf(MethodOptionsSchema, proto.options),
    ...featuresOf(proto.options),
    ...ruleOf(method),
  ].map(asStatement);
  return [...commentLines(method), ...(options.length === 0 ? [`${head};`] : block(head, options))];
}

function hasRule(method: DescMethod): boolean {
  return httpRuleOf(method) !== undefined;
}

function ruleOf(method: DescMethod): string[] {
  const rule = httpRuleOf(method);
  if (rule === undefined) return [];
  const { httpMethod, httpPath, body } = rule;
  const isKnown = /^(?:GET|PUT|POST|DELETE|PATCH)$/.test(httpMethod);
  const pattern = isKnown
    ? `${httpMethod.toLowerCase()}: ${quoted(httpPath)}`
    : `custom: { kind: ${quoted(httpMethod)} path: ${quoted(httpPath)} }`;
  return [
    `(google.api.http) = { ${pattern}${body === undefined ? "" : ` body: ${quoted(body)}`} }`,
  ];
}
