/**
 * The nouns, as types without behaviour.
 *
 * @module
 */
export type { Attempt, AttemptOutcome, Discovery } from "./discovery.ts";
export type { Environment, EnvironmentsDocument } from "./environment.ts";
export type { Frame, FrameStream, StreamEnd } from "./frame.ts";
export type { Invocation } from "./invocation.ts";
export type { Progress } from "./progress.ts";
export type { TargetAnswer, TargetQuestion } from "./question.ts";
export type {
  Alternative,
  Definition,
  EnumValue,
  Field,
  FieldSource,
  Message,
  Method,
  MethodHints,
  MethodSchema,
  MethodType,
  Service,
} from "./service.ts";
