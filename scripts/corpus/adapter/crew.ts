/**
 * Workers that visit documents side by side.
 *
 * @module
 */
import type { CorpusDocument } from "../library.ts";
import type { Visit } from "./visit.ts";

/** Visits all documents, in as many threads as the machine runs at once. */
export async function* visitAll(documents: readonly CorpusDocument[]): AsyncGenerator<Visit> {
  const waiting = await largestFirst(documents);
  const threads = Math.min(navigator.hardwareConcurrency, documents.length);
  const workers = Array.from({ length: threads }, () => new Visits());
  // One promise a worker: the visit that it is on.
  const running = new Map<Visits, Promise<readonly [Visits, Visit]>>();
  const start = (worker: Visits) => {
    const document = waiting.shift();
    if (document === undefined) running.delete(worker);
    else running.set(worker, worker.visit(document).then((visit) => [worker, visit] as const));
  };
  try {
    for (const worker of workers) start(worker);
    while (running.size > 0) {
      const [worker, visit] = await Promise.race(running.values());
      start(worker);
      yield visit;
    }
  } finally {
    for (const worker of workers) worker.end();
  }
}

/** So that no thread is left alone with one at the end. */
async function largestFirst(documents: readonly CorpusDocument[]): Promise<CorpusDocument[]> {
  const sized = await Promise.all(documents.map(async (document) => ({
    document,
    size: (await Deno.stat(document.file)).size,
  })));
  return sized.sort((a, b) => b.size - a.size).map(({ document }) => document);
}

/** One worker. */
class Visits {
  readonly #worker = new Worker(import.meta.resolve("./worker.ts"), { type: "module" });

  /** @throws {Error} when the worker breaks. */
  visit(document: CorpusDocument): Promise<Visit> {
    const { promise, resolve, reject } = Promise.withResolvers<Visit>();
    this.#worker.onmessage = ({ data }: MessageEvent<Visit>) => resolve(data);
    this.#worker.onerror = ({ message }) => reject(new Error(message));
    this.#worker.postMessage(document);
    return promise;
  }

  end(): void {
    this.#worker.terminate();
  }
}
