/**
 * Visits documents in a thread of its own, one at a time; see `crew.ts`.
 *
 * @module
 */
import type { CorpusDocument } from "../library.ts";
import { type Visit, Visitor } from "./visit.ts";

/** The global scope of a worker, which this project's types know only as that of a main thread. */
interface WorkerScope {
  postMessage(message: Visit): void;
  addEventListener(
    type: "message",
    listen: (event: MessageEvent<CorpusDocument>) => void,
  ): void;
}

const border = globalThis as unknown as WorkerScope;
const visitor = new Visitor();

border.addEventListener("message", async ({ data }) => {
  border.postMessage(await visitor.visit(data));
});
