/**
 * Berths: a header parameter, a form body, a deprecated method.
 *
 * @module
 */
import { type Exchange, invalid, json, notFound, type Route } from "./answers.ts";
import { type Berth, type Harbour, QUAYS } from "./state.ts";

const FEET_PER_METRE = 3.28084;

/** The routes below `/berths`. */
export function berthRoutes(harbour: Harbour): Route[] {
  return [
    { method: "GET", path: "/berths", answer: (exchange) => listBerths(harbour, exchange) },
    {
      method: "GET",
      path: "/berths/free",
      answer: () => json([...harbour.berths.values()].filter(({ closure }) => closure === null)),
    },
    { method: "GET", path: "/berths/:code", answer: (exchange) => readBerth(harbour, exchange) },
    {
      method: "POST",
      path: "/berths/:code/closure",
      answer: (exchange) => closeBerth(harbour, exchange),
    },
  ];
}

function findBerth(harbour: Harbour, { params }: Exchange): Berth {
  const berth = harbour.berths.get(params.code ?? "");
  if (berth === undefined) throw notFound("berth", params.code ?? "");
  return berth;
}

function listBerths(harbour: Harbour, { url }: Exchange): Response {
  const quay = url.searchParams.get("quay");
  if (quay !== null && !QUAYS.some((known) => known === quay)) {
    throw invalid([{ field: "quay", message: `must be one of ${QUAYS.join(", ")}` }]);
  }
  return json([...harbour.berths.values()].filter((berth) => quay === null || berth.quay === quay));
}

function readBerth(harbour: Harbour, exchange: Exchange): Response {
  const berth = findBerth(harbour, exchange);
  const units = exchange.request.headers.get("x-units") ?? "metric";
  const { maxLengthM, ...rest } = berth;
  if (units === "metric") return json(berth);
  if (units === "imperial") {
    return json({ ...rest, maxLengthFt: Math.floor(maxLengthM * FEET_PER_METRE) });
  }
  throw invalid([{ field: "X-Units", message: "must be metric or imperial" }]);
}

async function closeBerth(harbour: Harbour, exchange: Exchange): Promise<Response> {
  const berth = findBerth(harbour, exchange);
  const form = new URLSearchParams(await exchange.request.text());
  const [reason = "", until = ""] = [form.get("reason") ?? "", form.get("until") ?? ""];
  if (reason === "") throw invalid([{ field: "reason", message: "must be a text" }]);
  const closed = { ...berth, closure: { reason, until } };
  harbour.berths.set(berth.code, closed);
  return json(closed);
}
