/**
 * Log lines on standard error, without secrets.
 *
 * @module
 */
import { configureSync, getTextFormatter, type LogLevel, type LogRecord } from "@logtape/logtape";
import { redactJson, redactText } from "../gate/mod.ts";
import { readVariable } from "../store/mod.ts";

const LEVELS: readonly LogLevel[] = ["trace", "debug", "info", "warning", "error", "fatal"];

/** Sends log records to `write`, one line each. The level comes from `BOWIRE_LOG`. @default "warning" */
export function configureLog(write: (line: string) => void): void {
  const wanted = readVariable("BOWIRE_LOG")?.toLowerCase();
  const format = getTextFormatter({ timestamp: "time", level: "full" });
  configureSync({
    reset: true,
    sinks: { stderr: (record: LogRecord) => write(redactText(format(hide(record)).trimEnd())) },
    loggers: [
      { category: ["logtape", "meta"], sinks: ["stderr"], lowestLevel: "warning" },
      {
        category: ["bowire"],
        sinks: ["stderr"],
        lowestLevel: LEVELS.find((level) => level === wanted) ?? "warning",
      },
    ],
  });
}

/** A record whose values hold no secrets; an error keeps its stack. */
function hide(record: LogRecord): LogRecord {
  const message = record.message.map((part) => part instanceof Error ? part : redactJson(part));
  return { ...record, message };
}
