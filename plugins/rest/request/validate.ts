/**
 * Arguments held against the document before anything is sent.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import { compileValidator, type Validate, type Violation } from "../../../lib/schema/validate.ts";
import { inlineBytes } from "../body/inline_bytes.ts";
import { isJsonSequence } from "../body/media_type.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { JsonObject } from "../document/json.ts";
import { packArguments } from "../method/argument_schemas.ts";
import type { BodyPlan } from "../method/body_plan.ts";
import type { Inputs } from "../method/inputs.ts";
import type { MethodEntry } from "../method/methods.ts";
import type { Parameter } from "../method/parameter.ts";
import type { SortedArguments } from "./arguments.ts";

/** A method and how it is called. */
export interface ValidatedCallee {
  readonly document: ApiDocument;
  readonly entry: MethodEntry;
  readonly inputs: Inputs;
  readonly plan: BodyPlan | undefined;
}

interface Validators {
  /** By place and name. */
  readonly parameters: ReadonlyMap<string, Validate>;
  readonly body: Validate;
}

/** Most schema nodes that are compiled for one method; values below them are not looked at. */
const MAX_NODES = 3000;

/** By Operation Object, and by the content type of the body. */
const compiled = new WeakMap<JsonObject, Map<string, Validators>>();

/**
 * Checks sorted arguments.
 *
 * @throws {BowireError} `invalid_argument`, with every violation and its path.
 */
export async function validateArguments(
  callee: ValidatedCallee,
  sorted: SortedArguments,
): Promise<void> {
  const { entry, plan } = callee;
  const validators = validatorsOf(callee);
  const violations = [
    ...[...sorted.parameters].flatMap(([parameter, value]) => {
      const found = validators.parameters.get(keyOf(parameter))?.(value) ?? [];
      return found.map(({ path, message }) => ({ path: join(parameter.name, path), message }));
    }),
    ...plan !== undefined && isCheckable(plan, sorted.body)
      ? validators.body(await withoutFiles(sorted.body, plan)).map((found) => within(plan, found))
      : [],
  ];
  if (violations.length === 0) return;
  const sentences = violations.map(({ path, message }) => `"${path}" ${message}`);
  throw new BowireError(
    "invalid_argument",
    `cannot call "${entry.fullName}": ${sentences.join("; ")}`,
    {
      hint: "bowire.discover with this method shows the schema; " +
        "validate: false (--no-validate) sends the arguments as they are",
      details: { violations },
    },
  );
}

/** The path of a violation in the body as the caller wrote the arguments. */
function within(plan: BodyPlan, { path, message }: Violation): Violation {
  return { path: plan.isSpread && path !== "" ? path : join(plan.wholeName, path), message };
}

function join(name: string, path: string): string {
  return path === "" || path.startsWith("[") ? name + path : `${name}.${path}`;
}

function keyOf({ place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** A body with empty text in the place of each file, which is not looked into. */
async function withoutFiles(body: unknown, plan: BodyPlan): Promise<unknown> {
  const { schema, document: { shapes }, isForm, wholeName: what, contentType } = plan;
  const isField = !isJsonMediaType(contentType);
  const readFile = (name: string) => Promise.resolve({ name, bytes: new Uint8Array() });
  return await inlineBytes(body, { schema, shapes, readFile, what, isForm, isField });
}

/** Bytes have no schema, and text that is written already is not read again. */
function isCheckable(plan: BodyPlan, body: unknown): boolean {
  // Whether the schema of a sequence is of an item or of them all, no document says.
  if (body === undefined || plan.isBinary() || isJsonSequence(plan.contentType)) return false;
  return typeof body !== "string" || isJsonMediaType(plan.contentType);
}

function validatorsOf(callee: ValidatedCallee): Validators {
  const { entry: { operation }, plan } = callee;
  const known = compiled.get(operation) ?? new Map<string, Validators>();
  compiled.set(operation, known);
  const key = plan?.contentType ?? "";
  const validators = known.get(key) ?? compileFor(callee);
  known.set(key, validators);
  return validators;
}

function compileFor({ document, inputs, plan }: ValidatedCallee): Validators {
  const { parameters, body = {}, definitions } = packArguments(document, { inputs, plan }, {
    purpose: "check",
    maxNodes: MAX_NODES,
  });
  const validators = inputs.parameters.map((parameter, index): [string, Validate] => [
    keyOf(parameter),
    // It travels as text, and so do the fields of a form.
    compileValidator({ ...parameters[index], $defs: definitions }, {
      coerce: true,
      mayOverlap: true,
    }),
  ]);
  return {
    parameters: new Map(validators),
    body: compileValidator(
      { ...body, $defs: definitions },
      { coerce: plan?.isForm === true, mayOverlap: true },
    ),
  };
}
