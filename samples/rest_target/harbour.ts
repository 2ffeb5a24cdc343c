/**
 * The harbour itself: answers that are no JSON, redirects, a key, a service that is away.
 *
 * @module
 */
import { type Exchange, json, Problem, requireKey, type Route } from "./answers.ts";
import type { Harbour } from "./state.ts";

const RULES = "1. Keep to starboard.\n2. No wake beyond the mole.\n3. Påske: closed – ⚓\n";

// A PNG of one blue pixel.
const FLAG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQs+oCAAFcAOMdygW+AAAAAElFTkSuQmCC",
);

/** The routes below `/harbour`. */
export function harbourRoutes(harbour: Harbour): Route[] {
  return [
    {
      method: "GET",
      path: "/harbour",
      answer: () => json({ name: "Nordhavn", position: { lat: 58.0916, lon: 6.8077 } }),
    },
    {
      method: "GET",
      path: "/harbour/rules",
      answer: () =>
        new Response(RULES, { headers: { "content-type": "text/plain; charset=utf-8" } }),
    },
    {
      method: "GET",
      path: "/harbour/flag",
      answer: () => new Response(FLAG, { headers: { "content-type": "image/png" } }),
    },
    { method: "GET", path: "/harbour/tide", answer: refuseTide },
    { method: "GET", path: "/harbour/office", answer: () => redirect(302, "/harbour") },
    { method: "GET", path: "/harbour/pilot", answer: redirectAbroad },
    {
      method: "GET",
      path: "/harbour/stats",
      answer: (exchange) => {
        requireKey(exchange);
        const { ships, berths, bookings } = harbour;
        return json({ ships: ships.size, berths: berths.size, bookings: bookings.size });
      },
    },
  ];
}

function refuseTide(): Response {
  throw new Problem(503, "The tide gauge is being serviced", { headers: { "retry-after": "30" } });
}

function redirect(status: number, location: string): Response {
  return new Response(null, { status, headers: { location } });
}

/** The same server under its other name is another origin. */
function redirectAbroad({ url }: Exchange): Response {
  const hostname = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return redirect(307, `http://${hostname}:${url.port}/harbour`);
}
