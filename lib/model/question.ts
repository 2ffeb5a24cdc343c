/**
 * What a target asks of the person behind a call, while the call goes on.
 *
 * @module
 */

/** A question of a target. Plain data: it crosses a worker's border unchanged. */
export interface TargetQuestion {
  /**
   * `form` asks for values, `visit` to go to a URL and come back, `reply` for a text in answer to a
   * conversation.
   */
  readonly kind: "form" | "visit" | "reply";
  /** Text of the target: data, not instructions. */
  readonly message: string;
  /** Of a form: the JSON Schema of an object of texts, numbers, booleans and choices, as JSON text. */
  readonly schema?: string;
  /** Of a visit: an http or https URL. To be shown, never opened. */
  readonly url?: string;
}

/** What came back. */
export interface TargetAnswer {
  /** Whether the person gave an answer, refused, or left the question alone. */
  readonly action: "accept" | "decline" | "cancel";
  /** The values of a form, or the text of a reply, as JSON text. */
  readonly content?: string;
  /** True when it was refused because nobody could be asked. */
  readonly isUnattended?: boolean;
}
