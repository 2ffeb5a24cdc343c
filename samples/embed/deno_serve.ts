/**
 * Bowire in an app of `Deno.serve`: agents explore and call one API at `/bowire/mcp` by Bowire's
 * tools, and nothing else.
 *
 * Run: `deno run --allow-net=127.0.0.1 --allow-read --allow-env=BOWIRE_*,HOME,USERPROFILE
 * samples/embed/deno_serve.ts`
 *
 * @module
 */
import { createBowire } from "../../mod.ts";
import { startRestTarget } from "../rest_target/server.ts";
import { announce, type Embedding, runningApp } from "./embedding.ts";

/** Starts the app on 127.0.0.1, and the API beside it. */
export async function startApp({ home, port = 0 }: Embedding = {}) {
  const api = startRestTarget();
  const bowire = await createBowire({
    home,
    allowedServerUrls: [api.url],
    loadAllowlistFromEnvironments: false,
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    // What is not for Bowire is for the app.
    async (request) => await bowire.fetch(request) ?? new Response("the app's own page"),
  );
  const app = runningApp(server, bowire);
  return {
    ...app,
    apiUrl: api.url,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

if (import.meta.main) announce(await startApp());
