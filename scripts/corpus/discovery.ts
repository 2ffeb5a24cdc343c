/**
 * Part one: what discovery makes of each operation that a document has.
 *
 * @module
 */
import type { Protocol } from "../../lib/protocol/mod.ts";
import type { Gateway } from "./gateway.ts";
import type { RawOperation } from "./judge/raw.ts";

/** A method's name within its target. */
export interface MethodName {
  readonly service: string;
  readonly method: string;
}

/** What became of one document's operations. */
export interface DiscoveryResult {
  /** The method that each operation became. */
  readonly methods: ReadonlyMap<RawOperation, MethodName>;
  /** `VERB path: reason` of operations that discovery says it leaves out. */
  readonly leftOut: readonly string[];
  /** `VERB path` of operations that are neither methods nor spoken of. */
  readonly lost: readonly string[];
  /** `VERB path` of methods that the document does not have. */
  readonly invented: readonly string[];
}

/** Discovers a document and compares the methods with its operations. */
export async function compareDiscovery(
  rest: Protocol,
  gateway: Gateway,
  operations: readonly RawOperation[],
): Promise<DiscoveryResult> {
  const request = { target: gateway.target, metadata: {}, showInternal: true };
  const { services, diagnostics } = await rest.discover(request, gateway.context);
  const found = new Map<string, MethodName[]>();
  for (const { name: service, methods } of services) {
    for (const { name: method, httpMethod = "", httpPath = "", isIncoming } of methods) {
      if (isIncoming === true) continue;
      const key = keyOf(httpMethod, httpPath);
      found.set(key, [...found.get(key) ?? [], { service, method }]);
    }
  }
  const remarks = diagnostics.flatMap(({ details = [] }) => details);
  const methods = new Map<RawOperation, MethodName>();
  const leftOut: string[] = [];
  const lost: string[] = [];
  for (const operation of operations) {
    const key = keyOf(operation.verb, operation.path);
    const method = found.get(key)?.shift();
    if (method !== undefined) {
      methods.set(operation, method);
      continue;
    }
    const remark = remarks.find((detail) => detail.startsWith(`${key}: `));
    if (remark === undefined) lost.push(key);
    else leftOut.push(remark);
  }
  const invented = [...found].flatMap(([key, rest]) => rest.map(() => key));
  return { methods, leftOut, lost, invented };
}

/** As discovery shows it: white space is one space. */
function keyOf(verb: string, path: string): string {
  return `${verb} ${path.replace(/\s+/g, " ").trim()}`;
}
