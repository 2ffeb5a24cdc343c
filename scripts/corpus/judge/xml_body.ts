/**
 * Whether an element stands for a value, by what the schema says of names, attributes and wrappers
 * (OpenAPI 3.0.3, "XML Object").
 *
 * @module
 */
import { follow, isRawObject, listAt, objectAt, type RawObject } from "./raw.ts";
import { isTextOf } from "./values.ts";
import { localName, type XmlElement } from "./xml.ts";

/** Reads elements by the schemas of one document. */
export class XmlReader {
  readonly #root: RawObject;

  constructor(root: RawObject) {
    this.#root = root;
  }

  /**
   * True when a root element holds a value. One whose schema has no name may be left out around its
   * only member.
   */
  isRootOf(element: XmlElement, value: unknown, schema: unknown): boolean {
    if (this.isElementOf(element, value, schema)) return true;
    const members = isRawObject(value) ? Object.keys(value) : [];
    const isNamed = objectAt(schema)["$ref"] !== undefined ||
      this.#xmlOf(schema)["name"] !== undefined;
    if (members.length !== 1 || isNamed) return false;
    const around = { ...element, attributes: new Map<string, string>(), children: [element] };
    return this.isElementOf(around, value, schema);
  }

  /** True when a list of an object has the element name of another member: nobody can part them. */
  isAmbiguous(value: unknown, schema: unknown): boolean {
    if (Array.isArray(value)) {
      const items = this.#keyword(schema, "items");
      return value.some((item) => this.isAmbiguous(item, items));
    }
    const members = isRawObject(value) ? Object.entries(value) : [];
    const names = members.map(([name, member]) =>
      this.#nameOf(name, member, this.#propertyOf(schema, name))
    );
    const hasList = members.some(([, member]) => Array.isArray(member));
    return hasList && new Set(names).size < names.length ||
      members.some(([name, member]) => this.isAmbiguous(member, this.#propertyOf(schema, name)));
  }

  /** True when an element holds a value and nothing else. */
  isElementOf(element: XmlElement, value: unknown, schema: unknown): boolean {
    if (!isRawObject(value)) {
      return element.children.length === 0 && isTextOf(element.text, value);
    }
    const left = new Set(element.children);
    const isRight = Object.entries(value).every(([name, member]) => {
      if (member === null) return true;
      const property = this.#propertyOf(schema, name);
      const own = this.#nameOf(name, member, property);
      // A structure is no attribute, whatever its schema says.
      if (this.#xmlOf(property)["attribute"] === true && typeof member !== "object") {
        return isTextOf(element.attributes.get(own) ?? "\0", member);
      }
      const found = element.children.filter((child) => child.name === own);
      found.forEach((child) => left.delete(child));
      return this.#areChildrenOf(found, member, property);
    });
    return isRight && left.size === 0;
  }

  #areChildrenOf(found: readonly XmlElement[], value: unknown, schema: unknown): boolean {
    const [first, ...others] = found;
    if (!Array.isArray(value)) {
      return first !== undefined && others.length === 0 && this.isElementOf(first, value, schema);
    }
    const items = this.#keyword(schema, "items");
    const elements = this.#xmlOf(schema)["wrapped"] === true ? first?.children ?? [] : found;
    return elements.length === value.length &&
      elements.every((item, at) => this.isElementOf(item, value[at], items));
  }

  /** The name of a property's elements: a list without a wrapper has the name of its items. */
  #nameOf(name: string, value: unknown, schema: unknown): string {
    const xml = this.#xmlOf(schema);
    const isBare = Array.isArray(value) && xml["wrapped"] !== true;
    const named = isBare ? this.#xmlOf(this.#keyword(schema, "items")) : xml;
    return localName(String(named["name"] ?? name));
  }

  #xmlOf(schema: unknown): RawObject {
    const parts = this.#partsOf(schema).map((part) => objectAt(part, "xml"));
    return Object.assign({}, ...parts.toReversed());
  }

  #propertyOf(schema: unknown, name: string): unknown {
    return this.#partsOf(schema).map((part) => objectAt(part, "properties")[name])
      .find((property) => property !== undefined) ?? this.#keyword(schema, "additionalProperties");
  }

  #keyword(schema: unknown, name: string): unknown {
    return this.#partsOf(schema).map((part) => part[name]).find((value) => value !== undefined);
  }

  /** A schema and the schemas that it is composed of. */
  #partsOf(schema: unknown, depth = 0): RawObject[] {
    const goal = follow(this.#root, schema);
    if (!isRawObject(goal) || depth > 8) return [];
    const parts = ["allOf", "oneOf", "anyOf"].flatMap((keyword) => listAt(goal, keyword));
    return [goal, ...parts.flatMap((part) => this.#partsOf(part, depth + 1))];
  }
}
