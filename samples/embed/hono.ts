/**
 * Bowire as a middleware of Hono, for users that the app knows: what one of them has open or was
 * asked to confirm is not for another.
 *
 * Run: `deno run --allow-net=127.0.0.1 --allow-read --allow-env=BOWIRE_*,HOME,USERPROFILE
 * samples/embed/hono.ts`
 *
 * @module
 */
import { Hono } from "hono";
import { createBowire } from "../../mod.ts";
import { announce, type Embedding, runningApp } from "./embedding.ts";

/** Users by what they show; a real app would look into its own sessions. */
const USERS: ReadonlyMap<string, string> = new Map([["Bearer ann", "ann"], ["Bearer ben", "ben"]]);

/** Starts the app on 127.0.0.1. */
export async function startApp({ home, port = 0 }: Embedding = {}) {
  const bowire = await createBowire({
    home,
    loadAllowlistFromEnvironments: false,
    principal: (request) => USERS.get(request.headers.get("authorization") ?? "") ?? "",
  });
  const app = new Hono();
  app.use(async ({ req }, next) => {
    if (USERS.has(req.header("authorization") ?? "")) return await next();
    return new Response("Who are you?", { status: 401 });
  });
  app.use(async ({ req }, next) => await bowire.fetch(req.raw) ?? await next());
  app.get("/", (context) => context.text("the app's own page"));
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, app.fetch);
  return runningApp(server, bowire);
}

if (import.meta.main) announce(await startApp());
