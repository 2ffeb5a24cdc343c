/**
 * The nouns, as types without behaviour.
 *
 * @module
 */
export type { Attempt, AttemptOutcome, Discovery } from "./discovery.ts";
export type { Environment, EnvironmentsDocument } from "./environment.ts";
export type { Invocation } from "./invocation.ts";
export type {
  EnumValue,
  Field,
  FieldSource,
  Message,
  Method,
  MethodType,
  Service,
} from "./service.ts";
