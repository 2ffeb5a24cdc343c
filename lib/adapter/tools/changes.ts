/**
 * What a discovery has changed, for those who read the log: a tool that says something else than
 * before is worth a look.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { canonicalText } from "../../schema/json_values.ts";
import type { AdapterTool } from "./tool.ts";

const log = getLogger(["bowire", "adapter"]);

/** Most names in a line. */
const MAX_LOGGED = 20;

type Tools = ReadonlyMap<string, AdapterTool>;

/** Logs which tools are new, gone, or described otherwise. */
export function logChanges(before: Tools, after: Tools): void {
  const names = (tools: Tools, isMeant: (name: string) => boolean) =>
    [...tools.keys()].filter(isMeant).slice(0, MAX_LOGGED).join(", ");
  log.warn("tools changed; new: {added}; gone: {removed}; described otherwise: {changed}", {
    added: names(after, (name) => !before.has(name)),
    removed: names(before, (name) => !after.has(name)),
    changed: names(after, (name) => {
      const [old, now] = [before, after].map((tools) => tools.get(name)?.description);
      return old !== undefined && canonicalText(old) !== canonicalText(now);
    }),
  });
}
