/**
 * Which types of a message stand in the schema once, under a name, and which are left out.
 *
 * @module
 */
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { specialForm } from "./special_types.ts";

/** How the types that a message leads to are written. */
export interface TypePlan {
  /** Types with a name of their own: they recur, are used several times, or lie deep. */
  readonly shared: ReadonlySet<DescMessage | DescEnum>;
  /** Messages that are written out; others are too many. */
  readonly written: ReadonlySet<DescMessage>;
}

/** Most fields of all messages that are written out. */
const MAX_FIELDS = 400;
/** Most messages that are written within each other. */
const MAX_DEPTH = 8;

/** Looks at all that a message leads to, the nearest first. */
export function planTypes(root: DescMessage): TypePlan {
  const seen = new Set<DescMessage | DescEnum>([root]);
  const shared = new Set<DescMessage | DescEnum>();
  const written = new Set<DescMessage>();
  const queue = [{ message: root, depth: 0 }];
  let count = 0;
  for (const { message, depth } of queue) {
    if (count >= MAX_FIELDS && message !== root) break;
    written.add(message);
    count += message.fields.length;
    for (const field of message.fields) {
      const type = field.message ?? field.enum;
      if (type === undefined || isSpecial(type)) continue;
      const isDeep = depth >= MAX_DEPTH && type.kind === "message";
      if (seen.has(type) || isDeep) shared.add(type);
      if (!seen.has(type) && type.kind === "message") {
        queue.push({ message: type, depth: isDeep ? 0 : depth + 1 });
      }
      seen.add(type);
    }
  }
  return { shared, written };
}

function isSpecial(type: DescMessage | DescEnum): boolean {
  return type.kind === "message" && specialForm(type) !== undefined;
}
