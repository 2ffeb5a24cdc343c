/**
 * An app's own API as tools, each method one: Bowire calls the app without a network, so the app
 * needs no leave to dial, and agents reach nothing but it.
 *
 * Run: `deno run --allow-net=127.0.0.1 --allow-read --allow-env=BOWIRE_*,HOME,USERPROFILE
 * samples/embed/in_process_api.ts`
 *
 * @module
 */
import { createBowire } from "../../mod.ts";
import { createHarbour } from "../rest_target/server.ts";
import { announce, type Embedding, runningApp } from "./embedding.ts";

/** Starts the app on 127.0.0.1. */
export async function startApp({ home, port = 0 }: Embedding = {}) {
  const harbour = createHarbour();
  const bowire = await createBowire({
    home,
    apps: { harbour: { fetch: harbour, openapi: "/openapi.json" } },
    mcpServer: false, // the tools of the API take the place of Bowire's own
    loadAllowlistFromEnvironments: false,
  });
  await bowire.withMcpAdapter({ urls: ["app://harbour"], serverName: "harbour" });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    async (request) => await bowire.fetch(request) ?? await harbour(request),
  );
  return runningApp(server, bowire);
}

if (import.meta.main) announce(await startApp());
