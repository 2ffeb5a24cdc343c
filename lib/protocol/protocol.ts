/**
 * The plugin contract. A plugin fulfils {@linkcode Protocol} for one kind of API.
 *
 * Everything that goes in or comes out is plain, structured-cloneable data, since plugins run
 * behind a worker's border; JSON values travel as JSON text, so that no number is ever rounded.
 *
 * @module
 */
import type { Target } from "../gate/mod.ts";
import type { FrameStream, Invocation, MethodSchema, Service } from "../model/mod.ts";
import type { CallContext } from "./context.ts";

/** How sure a protocol is that a URL is its own, judged by the URL alone. */
export type Claim = "certain" | "possible" | "no";

/** What the core knows of a protocol without loading its code. */
export interface ProtocolManifest {
  /** Lower case letters and digits: `rest`, `grpc` … */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** One sentence: what it talks to. */
  readonly description: string;
  /** Words accepted before `@` in a URL; the first is the id. */
  readonly hints: readonly string[];
  /** Whether it calls a URL as it is, by an HTTP verb without a service. @default false */
  readonly callsUrls?: boolean;
  /** Endings of the schema files that it reads, each with its dot; none when left out. */
  readonly schemaFiles?: readonly string[];
  /** Judges a target by its scheme and path. Must not dial. */
  claims(target: Target): Claim;
}

/** A request to list what a target offers. */
export interface DiscoverRequest {
  readonly target: Target;
  /** Headers or the like for the requests that discovery makes. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether services meant for machinery (reflection, health) are listed. */
  readonly showInternal: boolean;
  /**
   * Whether the fields of messages may be left out: they cost most of a discovery, and who asks for
   * the schemas of methods has them there. @default false
   */
  readonly isBrief?: boolean | undefined;
}

/** What one protocol found. */
export interface Discovered {
  readonly services: readonly Service[];
  /** `fault` means that something is missing from the list; `note` only informs. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A remark on a discovery. */
export interface Diagnostic {
  readonly severity: "note" | "fault";
  /** One sentence without the protocol's name. */
  readonly message: string;
  readonly details?: readonly string[];
}

/** One call to one method. */
export interface Call {
  readonly target: Target;
  /** Empty for an ad-hoc call, where the protocol has such. */
  readonly service: string;
  readonly method: string;
  /** The messages to send, each as JSON text. Unary calls have one. */
  readonly messages: readonly string[];
  /** Request headers, gRPC metadata and the like. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * The same for the request of this call alone, and not for what is read about its target before,
   * which others share. What `metadata` has counts more. @default none
   */
  readonly ownMetadata?: Readonly<Record<string, string>>;
  /** Whether the arguments are checked against the method's schema before anything is sent. */
  readonly validate: boolean;
  /**
   * Whether the caller's side of a duplex stream stays open after the last message, until the stream
   * is ended. @default false
   */
  readonly keepsOpen?: boolean;
}

/** A request to read schema files, so that a target without a description can be called. */
export interface SchemaRequest {
  /** The target that they describe. */
  readonly target: Target;
  /** Paths of files or folders, as they were typed. */
  readonly files: readonly string[];
  /** Folders in which the files look for each other, the first one first. */
  readonly roots: readonly string[];
}

/** Schema files that were read. */
export interface SchemaRead {
  /** In one piece, in a form that the protocol reads without its files. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names of the services that they describe. */
  readonly services: readonly string[];
  /** Sentences about what is missing or odd. */
  readonly remarks: readonly string[];
}

/** A method by the names that discovery gave. */
export interface MethodName {
  readonly service: string;
  readonly method: string;
}

/** A request for the schema of one method. */
export interface DescribeRequest extends MethodName {
  readonly target: Target;
  /** Headers or the like for the requests that it makes. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A part of a {@linkcode MethodSchema} that is made only when it is wanted. */
export type SchemaPart = "output" | "sample" | "definition";

/** A request for the schemas of many methods of one target. */
export interface DescribeAllRequest extends Omit<DescribeRequest, keyof MethodName> {
  readonly methods: readonly MethodName[];
  /** What is wanted besides the input. */
  readonly parts: readonly SchemaPart[];
}

/** A protocol's code. Methods that a protocol cannot serve are absent, never stubs. */
export interface Protocol {
  readonly manifest: ProtocolManifest;

  /**
   * Lists services and methods.
   *
   * @returns no services when the target is not of this protocol.
   * @throws {BowireError} when it looks like this protocol but cannot be read.
   */
  discover(request: DiscoverRequest, context: CallContext): Promise<Discovered>;

  /**
   * Makes one call that is answered once. An error status from the target is a result, not an
   * exception.
   *
   * @throws {BowireError} when the call could not be made: unknown method, bad arguments, no answer.
   */
  invoke(call: Call, context: CallContext): Promise<Invocation>;

  /**
   * Makes one call that is answered by a stream. A message is asked for when it is wanted, and one
   * that ends early lets go of the target. An error status from the target is what it returns.
   *
   * @throws {BowireError} as `invoke` does.
   */
  subscribe?(call: Call, context: CallContext): FrameStream;

  /**
   * The schema of one method, which a discovery of them all leaves out for its size.
   *
   * @throws {BowireError} `unknown_service`, `unknown_method` or as `discover` does.
   */
  describe?(request: DescribeRequest, context: CallContext): Promise<MethodSchema>;

  /**
   * The schemas of many methods, in their order; `undefined` for one that is not known or whose
   * schema cannot be made. There when `describe` is.
   *
   * @throws {BowireError} as `discover` does.
   */
  describeAll?(
    request: DescribeAllRequest,
    context: CallContext,
  ): Promise<readonly (MethodSchema | undefined)[]>;

  /**
   * Reads schema files for a target; later calls find them in their context.
   *
   * @throws {BowireError} `file_failed` or `bad_document`.
   */
  readSchema?(request: SchemaRequest, context: CallContext): Promise<SchemaRead>;

  /** Lets go of the connections that it keeps, with a last word to the other side where there is one. */
  close?(context: CallContext): void | Promise<void>;
}
