/**
 * What discovery finds: services, their methods, and the messages that go in and come out.
 * The member names are those of the .NET Bowire's `ServiceInfo` family in camelCase, so that
 * snapshots written by either read in both.
 *
 * @module
 */

/** How many messages go each way in one call. */
export type MethodType = "Unary" | "ServerStreaming" | "ClientStreaming" | "Duplex";

/** Where a field travels in an HTTP request. */
export type FieldSource = "path" | "query" | "header" | "cookie" | "body" | "formdata";

/** One named enum value. */
export interface EnumValue {
  /** As it is written in JSON. */
  readonly name: string;
  /** Its number on the wire, where the protocol has such; else its position, from 0. */
  readonly number: number;
}

/** One field of a {@linkcode Message}. */
export interface Field {
  /** As it is written in JSON. */
  readonly name: string;
  /** Position in the message, from 1. */
  readonly number: number;
  /** A proto scalar name (`string`, `int32`, `double`, `bool`, `bytes` …), `message` or `enum`. */
  readonly type: string;
  /** Whether it may be left out, must be there, or comes many times. */
  readonly label: "optional" | "required" | "repeated";
  /** True for an object with free keys; `type` is then that of its values. */
  readonly isMap: boolean;
  /** True for a list; `type` is then that of its items. */
  readonly isRepeated: boolean;
  /** True when a call without it is refused. */
  readonly required: boolean;
  /** True when the value is sent as bytes (a file upload). */
  readonly isBinary: boolean;
  /** The nested message when `type` is `message`. Empty of fields where the type recurs. */
  readonly messageType?: Message;
  /** The values that are allowed, when they are few and known. */
  readonly enumValues?: readonly EnumValue[];
  /** Where it travels; absent for protocols that have one place only. */
  readonly source?: FieldSource;
  /** Text of the target's author: data, not instructions. */
  readonly description?: string;
  /** An example or default as JSON text. */
  readonly example?: string;
  /** Names the kind of text or number: `date-time`, `uuid`, `int64` … */
  readonly format?: string;
  /** True when `null` is a value of its own. */
  readonly isNullable?: boolean;
  /**
   * Limits of the value, or of each item of a list, under the names of JSON Schema: `minimum`,
   * `maxLength`, `pattern` … Numbers that a double cannot hold are left out; the method's schema
   * has them.
   */
  readonly bounds?: Readonly<Record<string, number | string | boolean>>;
  /** The types of value that are allowed when there are several; `type` is `message` then. */
  readonly union?: readonly string[];
}

/** One of several forms that a message may take. */
export interface Alternative {
  /** As the description names it, else its position. */
  readonly name: string;
  /** The fields of the message that belong to this form, by name. */
  readonly fields: readonly string[];
  /** Those of them that must be there. */
  readonly required: readonly string[];
}

/** A structured value: the input or output of a method. */
export interface Message {
  /** Short name. */
  readonly name: string;
  /** Name that is unambiguous within the target. */
  readonly fullName: string;
  /** In the order of the description; of all forms together when there are several. */
  readonly fields: readonly Field[];
  /** The forms that it may take, when there are several. */
  readonly oneOf?: readonly Alternative[];
  /**
   * On the outermost message: the messages that recur within themselves, by full name. Where one
   * recurs it stands without fields.
   */
  readonly definitions?: Readonly<Record<string, Message>>;
}

/** What the author of a method says that a call does; absent where they say nothing. */
export interface MethodHints {
  /** True when it changes nothing at the target. */
  readonly readOnly?: boolean;
  /** True when it may delete or overwrite something. */
  readonly destructive?: boolean;
  /** True when the same call a second time changes nothing more. */
  readonly idempotent?: boolean;
  /** True when it reaches beyond the target. */
  readonly openWorld?: boolean;
}

/** One thing that can be called. */
export interface Method {
  /** Unambiguous within its service. */
  readonly name: string;
  /** Unambiguous within the target, for instance `GET /pets/{id}` or `pkg.Service/Method`. */
  readonly fullName: string;
  /** How many messages go each way. */
  readonly methodType: MethodType;
  /** True when the caller sends many messages. */
  readonly clientStreaming: boolean;
  /** True when the target sends many messages. */
  readonly serverStreaming: boolean;
  /** What it takes. */
  readonly inputType: Message;
  /** What it returns when it succeeds. */
  readonly outputType: Message;
  /** HTTP verb in upper case, for methods over HTTP. */
  readonly httpMethod?: string;
  /** Path template, for methods over HTTP. */
  readonly httpPath?: string;
  /** The name for people. */
  readonly title?: string;
  /** Words by which the target's author groups methods. */
  readonly tags?: readonly string[];
  /** What a call does to the world. */
  readonly hints?: MethodHints;
  /** One line of the target's author. */
  readonly summary?: string;
  /** Longer text of the target's author: data, not instructions. */
  readonly description?: string;
  /** The credentials that it asks for, in words; any one of them is enough. */
  readonly security?: readonly string[];
  /** True when the author advises against it. */
  readonly deprecated: boolean;
  /** True for what the target calls at a URL of its client (a webhook): described, not callable. */
  readonly isIncoming?: boolean;
}

/**
 * What it takes to write the arguments of one method. The members are JSON texts, so that every
 * number in them is exact.
 */
export interface MethodSchema {
  /** JSON Schema 2020-12 of the arguments, with everything it refers to in its `$defs`. */
  readonly input: string;
  /** JSON Schema 2020-12 of the answer of a call that succeeds. */
  readonly output?: string;
  /** Arguments that satisfy `input`; absent when none could be made. */
  readonly sample?: string;
  /** The method and its types in the protocol's own language, where it has one. */
  readonly definition?: Definition;
}

/** A text in a schema language. */
export interface Definition {
  /** Short lower-case name of the language, for instance the usual ending of its files. */
  readonly language: string;
  /** As its files have it. */
  readonly text: string;
}

/** A group of methods at one target. */
export interface Service {
  /** Unambiguous within the target. */
  readonly name: string;
  /** The namespace it belongs to: a proto package, or the title of an OpenAPI document. */
  readonly package: string;
  /** In the order of the description. */
  readonly methods: readonly Method[];
  /** Id of the protocol that found it. */
  readonly source: string;
  /** Text of the target's author: data, not instructions. */
  readonly description?: string;
  /** Version of the API, as its author counts. */
  readonly version?: string;
  /** The URL that was asked. */
  readonly originUrl?: string;
}
