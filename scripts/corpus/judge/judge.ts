/**
 * Judges a request by the document as it stands on disk and by nothing else: is it the one that
 * the operation and these arguments ask for?
 *
 * @module
 */
import { readAddress, serverOf } from "./address.ts";
import {
  type Case,
  type Complaint,
  nameOf,
  parametersOf,
  valueOf,
  withWrittenNames,
} from "./case.ts";
import { bareType, isJson } from "./body.ts";
import { type Content, judgeContent } from "./content.ts";
import { rawInputsOf } from "./inputs.ts";
import { judgePlaces } from "./places.ts";
import type { RawObject } from "./raw.ts";
import { Validator } from "./schema/validator.ts";

/** What the judge found. */
export interface Judgement {
  readonly complaints: readonly Complaint[];
  readonly call: Case;
  /** The body, when there is one and it could be read. */
  readonly content: Content | undefined;
}

/** The judge of one document's requests. */
export class Judge {
  readonly #root: RawObject;
  readonly #documentUrl: string;
  /** By the schemas of the document. */
  readonly validator: Validator;

  constructor(root: RawObject, documentUrl: string) {
    this.#root = root;
    this.#documentUrl = documentUrl;
    this.validator = new Validator(root);
  }

  /** Judges one request. */
  async judge(made: Omit<Case, "inputs">): Promise<Judgement> {
    const inputs = rawInputsOf(this.#root, made.operation);
    const values = withWrittenNames(made.values, inputs.parameters.map(({ name }) => name));
    const call = { ...made, inputs, values };
    const found = await judgeContent(call, this.#root);
    const content = found !== undefined && "media" in found ? found : undefined;
    const complaints = [
      ...this.#judgeAddress(call),
      ...found !== undefined && "kind" in found ? [found] : [],
      ...this.#judgeParameters(call),
      ...content === undefined
        ? []
        : this.#judgeSchema(whatOf(content), content.value, content.media),
    ];
    return { complaints, call, content };
  }

  #judgeAddress(call: Case): Complaint[] {
    const { operation, sent } = call;
    const complaints: Complaint[] = sent.method === operation.verb
      ? []
      : [{ kind: "method", detail: sent.method }];
    const base = serverOf(this.#root, operation, this.#documentUrl);
    const address = base === undefined
      ? "the document names no server that is a URL"
      : readAddress(sent.url, base, operation.path);
    return typeof address === "string"
      ? [...complaints, { kind: kindOf(call), detail: address }]
      : [...complaints, ...judgePlaces(call, address)];
  }

  #judgeParameters(call: Case): Complaint[] {
    return parametersOf(call).flatMap((parameter) => {
      const value = valueOf(call, parameter.name);
      if (value !== undefined) {
        const complaints = formsOf(value).map((form) =>
          this.#judgeSchema(`a ${parameter.place} parameter`, form, parameter)
        );
        return complaints.find(({ length }) => length === 0) ?? complaints[0] ?? [];
      }
      return parameter.required
        ? [{ kind: "required parameter not given", detail: nameOf(parameter) }]
        : [];
    });
  }

  #judgeSchema(
    what: string,
    value: unknown,
    holder: { schema: unknown; name?: string; type?: string },
  ): Complaint[] {
    const fault = this.validator.check(value, holder.schema);
    if (fault === undefined) return [];
    const { keyword, at, error, isAuthors } = fault;
    const detail = `${holder.name ?? holder.type} ${at}: ${error}`;
    const kind = `schema of ${what}: ${isAuthors ? "the author's own example" : keyword}`;
    return [{ kind, detail }];
  }
}

/** Of a URL that is not as the template has it. */
function kindOf(call: Case): string {
  const isReserved = parametersOf(call).some(({ place, definition }) =>
    place === "path" && definition["allowReserved"] === true
  );
  return isReserved ? "URL with reserved characters in its path" : "URL";
}

/** A value, and others with the same text: that is all of it that arrives. */
function formsOf(value: unknown): unknown[] {
  if (typeof value === "number" || typeof value === "boolean") return [value, String(value)];
  return typeof value === "string" && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value)
    ? [value, JSON.parse(value)]
    : [value];
}

/** The body in words; bytes and forms are what they are without a schema. */
function whatOf({ media, value }: Content): string {
  if (typeof value === "string" && !isJson(bareType(media.type))) return "bytes";
  return /^multipart\//.test(media.type) ? "a form with parts" : "a body";
}
