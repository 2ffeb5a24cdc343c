/**
 * Judges what is said of one method: by Ajv, and by the JSON reader of `@bufbuild/protobuf`.
 *
 * @module
 */
import { type DescMessage, type DescMethod, fromJson, type Registry } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describeMethod } from "../../../plugins/grpc/describe/mod.ts";

/** Off: what a choice forbids is required of no one, and 64-bit integers are text or numbers. */
const STRICT = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  validateFormats: false,
} as const;

const SCHEMAS_PER_AJV = 200;

/** What is wrong with methods, in sentences. */
export class Judge {
  readonly #registry: Registry;
  #ajv = new Ajv2020(STRICT);
  readonly #validators = new Map<DescMessage, (value: unknown) => string | undefined>();
  /** Methods without a sample. */
  unsampled = 0;
  /** Longest JSON Schema, and definition, in UTF-16 units. */
  longest = { schema: 0, definition: 0 };

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Number of message types whose schemas were compiled. */
  get types(): number {
    return this.#validators.size;
  }

  /** What is wrong with the description of a method. */
  judge(method: DescMethod): string | undefined {
    try {
      const described = describeMethod(method, ["output", "sample", "definition"]);
      const { input, output = "", sample, definition } = described;
      this.longest = {
        schema: Math.max(this.longest.schema, input.length, output.length),
        definition: Math.max(this.longest.definition, definition?.text.length ?? 0),
      };
      this.#validatorOf(method.output, output);
      const validate = this.#validatorOf(method.input, input);
      if (sample === undefined) {
        this.unsampled++;
        return undefined;
      }
      const value = JSON.parse(sample);
      fromJson(method.input, value, { registry: this.#registry });
      return validate(value);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #validatorOf(type: DescMessage, schema: string): (value: unknown) => string | undefined {
    const known = this.#validators.get(type);
    if (known !== undefined) return known;
    // It keeps what it compiled, and is slow to make.
    if (this.types % SCHEMAS_PER_AJV === 0) this.#ajv = new Ajv2020(STRICT);
    const ajv = this.#ajv;
    const compiled = ajv.compile(JSON.parse(schema));
    const validate = (value: unknown) =>
      compiled(value) ? undefined : ajv.errorsText(compiled.errors);
    this.#validators.set(type, validate);
    return validate;
  }
}
