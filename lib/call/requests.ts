/**
 * What a face asks of a {@linkcode Caller}, and what it hears of a call.
 *
 * @module
 */
import type { Frame, Invocation, Progress, StreamEnd } from "../model/mod.ts";
import type { Target } from "../gate/mod.ts";
import type {
  Ambient,
  AskPerson,
  Call,
  Dialer,
  MethodName,
  SchemaPart,
  SchemaRef,
  SchemaRequest,
} from "../protocol/mod.ts";

/** A call as a face asks for it: the URL is not admitted yet. */
export interface InvokeRequest {
  /** With or without a `hint@`. */
  readonly url: string;
  /** Empty for an ad-hoc call, where the protocol has such. */
  readonly service: string;
  /** Name, or full name. */
  readonly method: string;
  /** Id of the protocol; found out when left out. */
  readonly protocol?: string | undefined;
  /** JSON texts. */
  readonly messages: readonly string[];
  /** Request headers, gRPC metadata and the like. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The same for this call alone, and not for what is read about the target, which others share. */
  readonly ownMetadata?: Readonly<Record<string, string>> | undefined;
  /** For the whole call, in milliseconds, as long as the target shows no sign of life. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** For the whole call in any case, in milliseconds. @default 600000, or `timeoutMs` when that is more */
  readonly maxTimeoutMs?: number | undefined;
  /** Whether arguments that break the method's schema are refused unsent. @default true */
  readonly validate?: boolean | undefined;
  /** Whether the caller's side of a duplex stream stays open until the stream is ended. @default false */
  readonly keepsOpen?: boolean | undefined;
  /** Hears the id of the protocol, once it is found out. */
  readonly onResolved?: ((protocol: string) => void) | undefined;
  /** Hears how far the call is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Puts questions of the target to a person. @default they are refused */
  readonly onQuestion?: AskPerson | undefined;
}

/** A request whose URL has been admitted. */
export function callOf(target: Target, request: InvokeRequest): Call {
  const { service, method, messages, metadata = {}, ownMetadata = {} } = request;
  const { validate = true, keepsOpen = false } = request;
  return { target, service, method, messages, metadata, ownMetadata, validate, keepsOpen };
}

/** One method of a URL. */
export type DescribeRequest = Pick<
  InvokeRequest,
  "url" | "service" | "method" | "protocol" | "metadata" | "timeoutMs"
>;

/** Many methods of a URL, of one protocol. */
export interface DescribeAllRequest extends Pick<InvokeRequest, "url" | "metadata" | "timeoutMs"> {
  /** Id of the protocol that found them. */
  readonly protocol: string;
  readonly methods: readonly MethodName[];
  /** What is wanted besides the schemas of the arguments. @default nothing */
  readonly parts?: readonly SchemaPart[] | undefined;
}

/** Schema files for a URL that is not admitted yet. */
export interface ReadSchemaRequest extends Omit<SchemaRequest, "target"> {
  readonly url: string;
  /** Id of the protocol that reads them. */
  readonly protocol: string;
  /** @default 30000 */
  readonly timeoutMs?: number | undefined;
}

/** What calls may draw on besides their arguments. */
export interface Surroundings {
  /** What the active environment adds, looked up for each call. @default nothing */
  readonly ambient?: () => Promise<Ambient | undefined>;
  /** The schemas that were added for a target, looked up for each call. @default none */
  readonly schemas?: (target: Target) => Promise<readonly SchemaRef[]>;
  /** Makes what runs the protocols, at the first call. @default in this thread, without files */
  readonly dialer?: () => Dialer;
  /** Puts questions of targets to a person, where the call itself says nobody. @default they are refused */
  readonly onQuestion?: AskPerson | undefined;
  /** Makes what speaks to programs and to apps of this process. @default as `dialer` does */
  readonly localDialer?: () => Dialer;
}

/** A finished call, and the protocol that made it. */
export interface Invoked {
  /** The protocol's id. */
  readonly protocol: string;
  /** What came back. */
  readonly invocation: Invocation;
}

/** What happens during a call, for those who listen. */
export type CallEvent =
  | { readonly kind: "resolved"; readonly protocol: string; readonly call: Call }
  | {
    readonly kind: "progress";
    readonly protocol: string;
    readonly call: Call;
    readonly progress: Progress;
  }
  | {
    readonly kind: "frame";
    readonly protocol: string;
    readonly call: Call;
    readonly frame: Frame;
  }
  /** A subscription has ended, or nobody wants more of it: then there is no `end`. */
  | {
    readonly kind: "ended";
    readonly protocol: string;
    readonly call: Call;
    readonly end?: StreamEnd | undefined;
  }
  | {
    readonly kind: "done";
    readonly protocol: string;
    readonly call: Call;
    readonly invocation: Invocation;
  }
  | {
    readonly kind: "failed";
    readonly protocol: string;
    readonly call: Call;
    readonly error: unknown;
  };
