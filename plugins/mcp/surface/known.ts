/**
 * The surfaces that were read, so that not every call reads one.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { closest } from "../../../lib/schema/spelling/closest.ts";
import type { Asker, Connection } from "../client/connection.ts";
import { Shared } from "../client/shared.ts";
import { type McpMethod, methodsOf, SERVICES } from "./methods.ts";
import { readSurface, type Surface } from "./surface.ts";

/** How long a surface is good for calls, in milliseconds. */
const FRESH_MS = 60_000;

/** The names of a method. */
export interface Named {
  readonly service: string;
  readonly method: string;
}

/** Remembers the surface of each connection. */
export class KnownSurfaces {
  readonly #nowMs: () => number;
  readonly #known = new WeakMap<Connection, { surface: Shared<Surface>; untilMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * What a server offers.
   *
   * @param isFresh true to ask it again.
   * @throws as {@linkcode readSurface} does.
   */
  async of(connection: Connection, asker: Asker, isFresh: boolean): Promise<Surface> {
    let known = this.#known.get(connection);
    if (isFresh || known === undefined || known.untilMs <= this.#nowMs()) {
      known = { surface: new Shared(), untilMs: this.#nowMs() + FRESH_MS };
      this.#known.set(connection, known);
    }
    return await known.surface.get(asker.context.signal, () => readSurface(connection, asker));
  }

  /**
   * A method by its names; a server that did not have it when it was last asked is asked again.
   *
   * @throws {BowireError} `unknown_service` or `unknown_method`.
   */
  async find(connection: Connection, asker: Asker, named: Named): Promise<McpMethod> {
    const known = findIn(await this.of(connection, asker, false), named);
    if (known !== undefined) return known;
    const surface = await this.of(connection, asker, true);
    const found = findIn(surface, named);
    if (found === undefined) throw unknown(surface, named);
    return found;
  }
}

/** A method of a surface by its name, or by its full name. */
function findIn(surface: Surface, { service, method }: Named): McpMethod | undefined {
  const name = method.startsWith(`${service}/`) ? method.slice(service.length + 1) : method;
  const methods = methodsOf(surface, service);
  return methods.find(({ item }) => item.name === method) ??
    methods.find(({ item }) => item.name === name);
}

/** Many methods of a surface by the names that discovery gave, each looked up at once. */
export function findAllIn(
  surface: Surface,
  named: readonly Named[],
): readonly (McpMethod | undefined)[] {
  const byName = new Map(
    SERVICES.map((service) => [
      String(service),
      new Map(methodsOf(surface, service).map((method) => [method.item.name, method])),
    ]),
  );
  return named.map(({ service, method }) => byName.get(service)?.get(method));
}

function unknown(surface: Surface, { service, method }: Named): BowireError {
  const names = methodsOf(surface, service).map(({ item }) => item.name);
  if (names.length === 0) {
    const known = SERVICES.filter((name) => methodsOf(surface, name).length > 0);
    return new BowireError("unknown_service", `the server has no "${service}"`, {
      hint: `it has: ${known.join(", ") || "nothing"}`,
    });
  }
  const near = closest(method, names);
  return new BowireError("unknown_method", `the server has no "${method}" among its ${service}`, {
    hint: `${near.length === 0 ? "known are" : "near it are"}: ${
      (near.length === 0 ? names.slice(0, 20) : near).join(", ")
    }`,
  });
}
