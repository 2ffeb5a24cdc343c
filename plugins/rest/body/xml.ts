/**
 * Values as XML, by the XML Objects of their schemas (OpenAPI 3.1 and 3.2, "XML Object").
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import type { Shape } from "../../../lib/schema/shapes/shape.ts";
import { toText } from "../request/parameters.ts";
import { type BodyForm, schemaOfItem } from "./body_form.ts";
import { checkName, escapeAttribute, escapeText, refusal, writeCdata } from "./xml_text.ts";

/** Where a value stands. */
interface Place {
  readonly schema: unknown;
  /** What it is called unless its XML Object has a name. */
  readonly name: string;
  /** The declarations of namespaces around it. */
  readonly scope: ReadonlyMap<string, string>;
}

/** What a value adds to the element around it. */
interface Nodes {
  readonly attributes: ReadonlyMap<string, string>;
  readonly content: string;
}

type NodeType = "element" | "attribute" | "text" | "cdata" | "none";

/** Its charset is left to the content type; UTF-8 needs none (XML 1.0, 4.3.3). */
const DECLARATION = '<?xml version="1.0"?>';
const NOTHING: Nodes = { attributes: new Map(), content: "" };
const INSTANCE_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance";

/**
 * Writes a document with one root element, in the order of the schema.
 *
 * @throws {BowireError} `invalid_argument` when the root has no name or XML cannot carry the value.
 */
export function writeXml(value: unknown, { schema, document }: BodyForm): string {
  return DECLARATION + new XmlWriter(document).writeRoot(value, schema);
}

class XmlWriter {
  readonly #document: BodyForm["document"];

  constructor(document: BodyForm["document"]) {
    this.#document = document;
  }

  writeRoot(value: unknown, schema: unknown): string {
    const shape = this.#document.shapes.of(schema);
    const name = textOf(this.#rulesOf(schema, shape)["name"]) ?? shape.name;
    const scope = new Map<string, string>();
    if (name === undefined) return this.#writeOnly(value, shape, scope);
    const place = { schema, name, scope };
    const item = this.#document.shapes.of(schemaOfItem(shape, 0)).name;
    return this.#writeElement(value, place, item);
  }

  /** An object without a name and with one member stands for that member. */
  #writeOnly(value: unknown, shape: Shape, scope: Place["scope"]): string {
    const [member, ...others] = entriesOf(value);
    if (member === undefined || others.length > 0) {
      throw refusal("the API document has no name for its root element");
    }
    const [name, root] = member;
    const schema = shape.properties.get(name) ?? shape.additional;
    return this.#writeElement(root, { schema, name, scope });
  }

  #write(value: unknown, place: Place): Nodes {
    const shape = this.#document.shapes.of(place.schema);
    const rules = this.#rulesOf(place.schema, shape);
    const type = nodeTypeOf(rules, value);
    if (value === null && (type !== "element" || !shape.isNullable)) return NOTHING;
    switch (type) {
      case "none":
        return this.#writeContent(value, shape, place);
      case "text":
        return { ...NOTHING, content: escapeText(toText(value), place.name) };
      case "cdata":
        return { ...NOTHING, content: writeCdata(toText(value), place.name) };
      case "attribute": {
        const { name, prefix, declaration } = nameOf(rules, place);
        const text = escapeAttribute(toText(value), place.name);
        // Without a prefix it would be the namespace of the element (XML Namespaces 1.0, 6.2).
        const declared = prefix === "" ? [] : declaration;
        return { attributes: new Map([...declared, [name, text]]), content: "" };
      }
      case "element":
        return { ...NOTHING, content: this.#writeElement(value, place) };
    }
  }

  /** @param itemName of the items of a list, when it is not the list's. */
  #writeElement(value: unknown, place: Place, itemName?: string): string {
    const shape = this.#document.shapes.of(place.schema);
    const { name, localName, declaration } = nameOf(this.#rulesOf(place.schema, shape), place);
    if (value === null) {
      const xsi = declare("xsi", INSTANCE_NAMESPACE, place);
      return `<${name}${writeAttributes([...declaration, ...xsi, ["xsi:nil", "true"]])}/>`;
    }
    const { attributes, content } = this.#writeContent(value, shape, {
      name: itemName ?? localName,
      scope: new Map([...place.scope, ...declaration]),
    });
    return `<${name}${writeAttributes([...declaration, ...attributes])}>${content}</${name}>`;
  }

  /** @param around the name for items of a list, and the scope. */
  #writeContent(value: unknown, shape: Shape, around: Omit<Place, "schema">): Nodes {
    if (Array.isArray(value)) {
      return join(
        value.map((item, index) =>
          this.#write(item, { ...around, schema: schemaOfItem(shape, index) })
        ),
      );
    }
    if (!isObject(value)) return { ...NOTHING, content: escapeText(toText(value), around.name) };
    const names = new Set([...shape.properties.keys(), ...Object.keys(value)]);
    return join(
      [...names].filter((name) => Object.hasOwn(value, name)).map((name) => {
        const schema = shape.properties.get(name) ?? shape.additional;
        return this.#write(value[name], { ...around, schema, name });
      }),
    );
  }

  /**
   * A schema's own XML Object, which may be spread over what it is made of in place, else that of
   * the schema it refers to.
   */
  #rulesOf(schema: unknown, { identity }: Shape): JsonObject {
    const { xml, allOf, anyOf } = this.#document.references.resolve(schema)?.value ?? {};
    const parts = [...listOf(anyOf), ...listOf(allOf)].filter(isObject)
      .map((part) => part["$ref"] === undefined ? part["xml"] : undefined);
    const own = [...parts, xml].filter(isObject);
    if (own.length > 0) return Object.assign({}, ...own);
    const others = isObject(identity) ? identity["xml"] : undefined;
    return isObject(others) ? others : {};
  }
}

/**
 * Lists stand for their items alone unless they are wrapped. A reference stands for the element of
 * the property that has it, as before OpenAPI 3.2, and not for one within.
 */
function nodeTypeOf({ nodeType, attribute, wrapped }: JsonObject, value: unknown): NodeType {
  switch (nodeType) {
    case "element":
    case "attribute":
    case "text":
    case "cdata":
    case "none":
      return nodeType;
  }
  if (attribute === true) return "attribute";
  return Array.isArray(value) && wrapped !== true ? "none" : "element";
}

/** An element's or attribute's name, and what declares its namespace unless that was done. */
function nameOf({ name, prefix, namespace }: JsonObject, place: Place) {
  const localName = textOf(name) ?? place.name;
  const before = textOf(prefix) ?? "";
  return {
    name: checkName(before === "" ? localName : `${before}:${localName}`),
    localName,
    prefix: before,
    declaration: declare(before, textOf(namespace), place),
  };
}

function declare(
  prefix: string,
  namespace: string | undefined,
  { scope }: Place,
): [name: string, value: string][] {
  if (namespace === undefined) return [];
  const name = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
  const value = escapeAttribute(namespace, name);
  return scope.get(name) === value ? [] : [[name, value]];
}

/** Each once: an attribute may declare the namespace that its element has declared. */
function writeAttributes(attributes: Iterable<readonly [name: string, value: string]>): string {
  return [...new Map(attributes)].map(([name, value]) => ` ${name}="${value}"`).join("");
}

function join(nodes: readonly Nodes[]): Nodes {
  return {
    attributes: new Map(nodes.flatMap(({ attributes }) => [...attributes])),
    content: nodes.map(({ content }) => content).join(""),
  };
}
