/**
 * `bowire mcp serve --attach`: what is served is a parent's.
 *
 * @module
 */
import { Option } from "commander";
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../../errors/mod.ts";
import { parseAttachEndpoint } from "../../forwarder/attach.ts";
import { redactUrl } from "../../gate/mod.ts";
import { ExitCode, type Session } from "../session.ts";
import { readStdin } from "../streams.ts";
import { SERVER_PORT } from "./listen.ts";
import { faceOptionsOf, interrupted, listenerOf } from "./listener.ts";
import type { ListenerOptions } from "./listener_options.ts";
import { listenerFace, serverParts } from "./listener_face.ts";
import { noticesOnListener, printNotices } from "./notices.ts";
import { serveHttp } from "./serve_http.ts";
import { readToken, type TokenSources } from "./token.ts";

/** Where the options stand in the help. */
const GROUP = "Forwarder options:";

const log = getLogger(["bowire", "forwarder"]);

/** The options as commander collects them. */
export interface AttachOptions extends ListenerOptions {
  readonly attach?: string;
  readonly attachToken?: string;
  readonly attachTokenFile?: string;
}

/** The options. */
export function attachOptions(): Option[] {
  return [
    new Option(
      "--attach <address>",
      "offer nothing of its own: relay all to the Bowire at this host:port or URL",
    ),
    new Option(
      "--attach-token <secret>",
      "show it this bearer token; other users of the machine can see it in the process list",
    ),
    new Option("--attach-token-file <file>", "show it the bearer token in this file"),
  ].map((option) => option.helpGroup(GROUP));
}

/**
 * Where the parent is; `undefined` when there is none.
 *
 * @throws {BowireError} `usage`, with exit code 2, for an address that is none.
 */
export function parentOf(options: AttachOptions, session: Session): URL | undefined {
  const { attach, attachToken, attachTokenFile } = options;
  try {
    if (attach !== undefined) return parseAttachEndpoint(attach);
  } catch (error) {
    session.exitCode = ExitCode.protocolError;
    throw error;
  }
  if (attachToken === undefined && attachTokenFile === undefined) return undefined;
  const flag = attachToken === undefined ? "--attach-token-file" : "--attach-token";
  throw new BowireError("usage", `cannot use ${flag}: there is no parent to show it to`, {
    hint: "add --attach HOST:PORT",
  });
}

/** The files that the way to the parent takes. */
export function attachFiles({ attachTokenFile }: AttachOptions): string[] {
  return attachTokenFile === undefined ? [] : [attachTokenFile];
}

/**
 * Relays until nobody wants more of it.
 *
 * @param unused flags that were given and that the parent decides on.
 * @throws {BowireError} as `readToken` and `serveHttp` do.
 */
export async function serveAttached(
  parent: URL,
  { options, unused, session }: {
    options: AttachOptions;
    unused: readonly string[];
    session: Session;
  },
): Promise<void> {
  const { terminal, signal } = session;
  const listener = listenerOf(options, SERVER_PORT);
  const { ForwardingMcpTransport } = await import("../../forwarder/mod.ts");
  await using forwarder = new ForwardingMcpTransport(
    parent,
    await readToken(attachTokenOf(options)),
  );
  const token = forwarder.hasBearerToken ? ", with a token" : "";
  printNotices(terminal, [
    `Everything is relayed to ${redactUrl(parent.href)}${token}.`,
    unused.length > 0 && `Not used with --attach, the parent decides: ${unused.join(", ")}.`,
    ...noticesOnListener(options, listener),
  ]);
  if (listener.isHttp) {
    const door = await faceOptionsOf(options, listener, terminal);
    const face = await listenerFace(serverParts(forwarder), door);
    return await serveHttp({ fetch: face, close: () => forwarder.close() }, session, listener);
  }
  const ended = forwarder.serveStreams({
    input: readStdin(),
    output: terminal.stdout,
    onTrouble: (error) => log.warn("nobody could be told: {reason}", { reason: error.message }),
  });
  await Promise.race([ended, interrupted(signal)]);
}

function attachTokenOf({ attachToken, attachTokenFile }: AttachOptions): TokenSources {
  return {
    token: attachToken,
    file: attachTokenFile,
    variable: "BOWIRE_ATTACH_TOKEN",
    fileFlag: "--attach-token-file",
  };
}
