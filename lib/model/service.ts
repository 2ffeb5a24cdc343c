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
  readonly name: string;
  readonly number: number;
}

/** One field of a {@linkcode Message}. */
export interface Field {
  readonly name: string;
  /** Position in the message, from 1. */
  readonly number: number;
  /** A proto scalar name (`string`, `int32`, `double`, `bool`, `bytes` …), `message` or `enum`. */
  readonly type: string;
  readonly label: "optional" | "required" | "repeated";
  readonly isMap: boolean;
  readonly isRepeated: boolean;
  readonly required: boolean;
  /** True when the value is sent as bytes (a file upload). */
  readonly isBinary: boolean;
  /** The nested message when `type` is `message`. Empty of fields where the type recurs. */
  readonly messageType?: Message;
  readonly enumValues?: readonly EnumValue[];
  readonly source?: FieldSource;
  readonly description?: string;
  /** An example or default as JSON text. */
  readonly example?: string;
}

/** A structured value: the input or output of a method. */
export interface Message {
  readonly name: string;
  readonly fullName: string;
  readonly fields: readonly Field[];
}

/** One thing that can be called. */
export interface Method {
  readonly name: string;
  /** Unambiguous within the target, for instance `GET /pets/{id}` or `pkg.Service/Method`. */
  readonly fullName: string;
  readonly methodType: MethodType;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
  readonly inputType: Message;
  readonly outputType: Message;
  readonly httpMethod?: string;
  readonly httpPath?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
}

/** A group of methods at one target. */
export interface Service {
  readonly name: string;
  /** The namespace it belongs to: a proto package, or the title of an OpenAPI document. */
  readonly package: string;
  readonly methods: readonly Method[];
  /** Id of the protocol that found it. */
  readonly source: string;
  readonly description?: string;
  readonly version?: string;
  /** The URL that was asked. */
  readonly originUrl?: string;
}
