/**
 * The types of one server as calls need them, wherever they come from.
 *
 * @module
 */
import type { DescMethod, DescService, Registry } from "@bufbuild/protobuf";
import { BowireError } from "../../../lib/errors/mod.ts";
import { type CallContext, place, type Target } from "../../../lib/protocol/mod.ts";
import { closest } from "../../../lib/schema/spelling/closest.ts";
import type { Library } from "../schema/library.ts";

/** What is known of one server. */
export interface TypeSource {
  /** Names of the services that the server offers. */
  services(context: CallContext): Promise<readonly string[]>;
  /** One service; `undefined` when the server does not describe it. */
  service(name: string, context: CallContext): Promise<DescService | undefined>;
  /** A registry that has a type; `undefined` when the server does not describe it. */
  find(typeName: string, context: CallContext): Promise<Registry | undefined>;
  /** All that is known at the moment. */
  library(): Library;
}

/** A method by its name, its service's name in front of it or not. */
export interface MethodName {
  readonly target: Target;
  readonly service: string;
  readonly method: string;
}

/**
 * Finds a method.
 *
 * @throws {BowireError} `unknown_service` or `unknown_method`, with the names that come close.
 */
export async function findMethod(
  source: TypeSource,
  { target, service, method }: MethodName,
  context: CallContext,
): Promise<DescMethod> {
  const found = await source.service(service, context);
  if (found === undefined) {
    const near = closest(service, await source.services(context));
    throw new BowireError(
      "unknown_service",
      `cannot call "${service}/${method}": ${place(target)} describes no such service`,
      {
        hint: near.length === 0 ? "bowire.discover lists them" : `near it are: ${near.join(", ")}`,
      },
    );
  }
  const name = method.startsWith(`${service}/`) ? method.slice(service.length + 1) : method;
  const known = found.methods.find((candidate) => candidate.name === name);
  if (known !== undefined) return known;
  const names = found.methods.map((candidate) => candidate.name);
  const near = closest(name, names);
  throw new BowireError(
    "unknown_method",
    `cannot call "${service}/${name}": the service has no such method`,
    {
      hint: `${near.length === 0 ? "known are" : "near it are"}: ${
        (near.length === 0 ? names : near).slice(0, 20).join(", ")
      }`,
    },
  );
}
