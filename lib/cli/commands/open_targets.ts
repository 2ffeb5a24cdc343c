/**
 * What is done with the URLs of `bowire open`: they are shown, or served to agents.
 *
 * @module
 */
import { adapt } from "../../adapted.ts";
import type { Host } from "../../host/mod.ts";
import { discoverTool, runTool } from "../../server/mod.ts";
import { adapterOf } from "../serve/adapter_options.ts";
import { ADAPTER_PORT } from "../serve/listen.ts";
import { listenerFace } from "../serve/listener_face.ts";
import { faceOptionsOf, interrupted, listenerOf } from "../serve/listener.ts";
import type { ListenerOptions } from "../serve/listener_options.ts";
import { noticesOnListener, noticesOnReach, printNotices } from "../serve/notices.ts";
import { serveHttp } from "../serve/serve_http.ts";
import { ExitCode, type Session } from "../session.ts";
import { readStdin } from "../streams.ts";
import { safe } from "../terminal.ts";
import { showError } from "../tool_command.ts";
import { showDiscovery } from "./discover.ts";

/** Shows what one URL offers, and sets the exit code when it is something. */
export async function showTarget(
  host: Host,
  { url, metadata, session }: {
    url: string;
    metadata: Readonly<Record<string, string>> | undefined;
    session: Session;
  },
): Promise<void> {
  const outcome = await runTool(host, discoverTool, {
    name: discoverTool.description.name,
    arguments: { url, metadata, maxChars: Number.MAX_SAFE_INTEGER },
    signal: session.signal,
    principal: "command line",
    mayAsk: false,
  });
  if (outcome.kind === "question") return; // a discovery asks nobody
  if (outcome.isError) return showError(outcome.data.error, session);
  session.exitCode = ExitCode.ok;
  showDiscovery(discoverTool.read(outcome.data), session);
}

/** Serves the targets of a host until nobody wants more of them. */
export async function serveTargets(
  host: Host,
  { options, listen, metadata, session }: {
    options: Readonly<Record<string, unknown>>;
    listen: ListenerOptions;
    metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
    session: Session;
  },
): Promise<void> {
  const { terminal, signal } = session;
  const listener = listenerOf(listen, ADAPTER_PORT);
  await using adapted = await adapt(host, {
    adapter: adapterOf(options, metadata),
    sessions: listen.stateless !== true,
  }, signal);
  const door = await faceOptionsOf(listen, listener, terminal);
  session.exitCode = ExitCode.ok;
  printNotices(terminal, [
    safe(adapted.adapter.report()),
    ...noticesOnReach(host.allowlist),
    ...noticesOnListener(listen, listener),
  ]);
  if (listener.isHttp) {
    const parts = { mounts: [adapted.mount], routes: adapted.routes };
    const face = await listenerFace(parts, door);
    return await serveHttp({ fetch: face, close: () => adapted.close() }, session, listener);
  }
  const ended = adapted.serveStreams(readStdin(), terminal.stdout);
  await Promise.race([ended, interrupted(signal)]);
}
