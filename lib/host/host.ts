/**
 * One Bowire: everything its faces share, in one object that is opened and closed.
 *
 * @module
 */
import { join } from "node:path";
import { getLogger } from "@logtape/logtape";
import { ambientOf, Caller } from "../call/mod.ts";
import { BowireError } from "../errors/mod.ts";
import { Allowlist, ConfirmationStore, type EntrySource } from "../gate/mod.ts";
import {
  type Ambient,
  APP_SCHEME,
  type Apps,
  type AskPerson,
  LocalDialer,
  type Plugin,
  PROGRAM_SCHEME,
  type Programs,
  Registry,
  sendToApps,
} from "../protocol/mod.ts";
import { openDialer, type SandboxMode } from "../sandbox/mod.ts";
import { AllowedFiles, EnvironmentStore, SchemaStore, TypedUrlStore } from "../store/mod.ts";
import { VERSION } from "../version.ts";
import { logCall } from "./call_log.ts";
import { schemasFor } from "./schemas_for.ts";

const log = getLogger(["bowire", "host"]);

/** What an agent may do, and where Bowire keeps its files. Security comes first in every default. */
export interface HostOptions {
  /** URLs an agent may reach, each with everything below its path. @default [] */
  readonly allowedServerUrls?: readonly string[];
  /** Admits every URL. Only for sandboxes without a way to anything that matters. @default false */
  readonly allowArbitraryUrls?: boolean;
  /** Adds every `serverUrl` of `environments.json`. @default true */
  readonly loadAllowlistFromEnvironments?: boolean;
  /** Adds every URL a person has typed (`typed-urls.json`). @default false */
  readonly loadAllowlistFromTypedUrls?: boolean;
  /** Whether tools that change something need a person's yes. @default true */
  readonly requireConfirmationForMutations?: boolean;
  /**
   * Folders whose files a call may send by name, and schemas are read from, besides
   * `workspaces/files` in the home folder.
   * @default []
   */
  readonly allowedFileFolders?: readonly string[];
  /**
   * Where plugins run: in a worker that Deno lets reach only what the allowlist names, or in this
   * thread. `auto` takes the worker where this Deno can start one, and warns where it cannot. Without
   * `--no-prompt`, Deno asks a person at a terminal for what the worker lacks.
   *
   * @default "auto"
   */
  readonly sandbox?: SandboxMode;
  /**
   * Programs of this machine that may be spoken to at `stdio://NAME`, by name. Nobody else can name
   * one. @default {}
   */
  readonly programs?: Programs;
  /**
   * Apps of this process that are called at `app://NAME`, by name, without a network. They are on
   * the allowlist by themselves, so agents may call all that they answer. @default {}
   */
  readonly apps?: Apps;
  /** Window of `bowire.subscribe` when none is asked for, in milliseconds. @default 5000 */
  readonly defaultSubscribeMs?: number;
  /** Longest window of `bowire.subscribe`, in milliseconds. @default 30000 */
  readonly maxSubscribeMs?: number;
  /** Most frames in one result of `bowire.subscribe`. @default 200 */
  readonly maxSubscribeFrames?: number;
  /** Name in the MCP handshake. @default "bowire-mcp" */
  readonly serverName?: string;
  /** Version in the MCP handshake. @default Bowire's own */
  readonly serverVersion?: string;
}

/** What a {@linkcode Host} is made of besides its options. */
export interface HostParts {
  /** The home folder. */
  readonly home: string;
  readonly plugins: readonly Plugin[];
  /** The module that runs the same plugins in a worker; without it they run in this thread. */
  readonly worker?: URL | undefined;
  /** Where the URLs of `allowedServerUrls` come from, for `allowlist.show`. @default "option" */
  readonly urlSource?: EntrySource;
  /** The clock, in milliseconds. @default Date.now */
  readonly now?: () => number;
  /** Puts questions of targets to the operator. @default they are refused */
  readonly onQuestion?: AskPerson | undefined;
}

/** Gate, stores, protocols and caller of one Bowire. */
export class Host implements AsyncDisposable {
  readonly options: Required<HostOptions>;
  readonly allowlist: Allowlist;
  readonly confirmations: ConfirmationStore;
  readonly environments: EnvironmentStore;
  readonly typedUrls: TypedUrlStore;
  readonly schemas: SchemaStore;
  /** Those that calls may send, and that schemas are read from. */
  readonly files: AllowedFiles;
  readonly registry: Registry;
  readonly caller: Caller;

  private constructor(options: HostOptions, parts: HostParts) {
    this.options = {
      allowedServerUrls: [],
      allowArbitraryUrls: false,
      loadAllowlistFromEnvironments: true,
      loadAllowlistFromTypedUrls: false,
      requireConfirmationForMutations: true,
      defaultSubscribeMs: 5000,
      maxSubscribeMs: 30_000,
      maxSubscribeFrames: 200,
      serverName: "bowire-mcp",
      serverVersion: VERSION,
      allowedFileFolders: [],
      sandbox: "auto",
      programs: {},
      apps: {},
      ...options,
    };
    this.allowlist = new Allowlist({ allowArbitraryUrls: this.options.allowArbitraryUrls });
    this.confirmations = new ConfirmationStore(parts.now);
    this.environments = new EnvironmentStore(parts.home);
    this.typedUrls = new TypedUrlStore(parts.home);
    this.schemas = new SchemaStore(parts.home, parts.now);
    this.registry = new Registry(parts.plugins);
    const folders = [join(parts.home, "workspaces", "files"), ...this.options.allowedFileFolders];
    this.files = new AllowedFiles(folders);
    const send = sendToApps(this.options.apps);
    this.caller = new Caller(this.allowlist, this.registry, {
      ambient: () => this.#readAmbient(),
      schemas: (target) => schemasFor(target, this.schemas),
      dialer: () =>
        openDialer({
          mode: this.options.sandbox,
          module: parts.worker,
          allowlist: this.allowlist,
          registry: this.registry,
          files: this.files,
          loadSchema: (id) => this.schemas.load(id),
        }),
      // A worker may start no program, and cannot be handed an app.
      localDialer: () =>
        new LocalDialer(this.allowlist, this.registry, {
          programs: this.options.programs,
          send,
          files: this.files,
        }),
      onQuestion: parts.onQuestion,
    });
    this.caller.observe(logCall);
  }

  /**
   * Opens a host and fills its allowlist.
   *
   * @throws {BowireError} `invalid_url` for a bad URL in `allowedServerUrls`, `usage` for an app that
   * cannot be one, or when plugins are to run in a worker and cannot. A file that cannot be read adds
   * nothing to the list and is noted in it.
   */
  static async open(options: HostOptions, parts: HostParts): Promise<Host> {
    const host = new Host(options, parts);
    if (host.options.sandbox === "worker") host.caller.prepare(); // or it would show at the first call
    const { allowedServerUrls, programs, apps } = host.options;
    const addresses = [
      ...Object.keys(programs).map((name) => `${PROGRAM_SCHEME}://${name}`),
      ...Object.keys(apps).map((name) => `${APP_SCHEME}://${name}`),
    ];
    for (const url of [...allowedServerUrls, ...addresses]) {
      host.allowlist.permit(url, parts.urlSource ?? "option");
    }
    if (host.options.loadAllowlistFromEnvironments) {
      await host.#seed(host.environments.path, "environment", () => host.environments.serverUrls());
    }
    if (host.options.loadAllowlistFromTypedUrls) {
      await host.#seed(host.typedUrls.path, "typed", () => host.typedUrls.read());
    }
    return host;
  }

  /** Ends what runs, and the worker. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.caller[Symbol.asyncDispose]();
  }

  /** What the active environment adds to calls; nothing when the file cannot be used. */
  async #readAmbient(): Promise<Ambient | undefined> {
    try {
      const document = await this.environments.read();
      return document === undefined ? undefined : ambientOf(document);
    } catch (error) {
      if (!(error instanceof BowireError)) throw error;
      log.warn("no environment is applied: {reason}", { reason: error.message });
      return undefined;
    }
  }

  async #seed(path: string, source: EntrySource, read: () => Promise<string[]>): Promise<void> {
    try {
      this.allowlist.seed(await read(), source);
    } catch (error) {
      if (!(error instanceof BowireError)) throw error;
      log.info("no URLs were taken from {path}: {reason}", { path, reason: error.message });
      this.allowlist.ignore({ value: path, source, reason: error.message });
    }
  }
}
