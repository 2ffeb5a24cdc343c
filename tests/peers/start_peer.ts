/**
 * Starts a foreign server on this machine, with a folder of its own, and ends it.
 *
 * @module
 */

const POLL_INTERVAL_MS = 50;
const MAX_POLLS = 600;
const LOW_PORT = 10_000;
const PORT_COUNT = 20_000;
const MAX_PORTS = 100;

/** A peer that listens on 127.0.0.1; disposing it ends the process and removes its data. */
export interface RunningPeer extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** What is asked until it answers with success. */
export interface Readiness {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of the authority that vouches for the server, which speaks TLS then. */
  readonly authority?: string | undefined;
  /** The status that stands for success. @default any of 200 to 299 */
  readonly status?: number;
}

/**
 * Starts a server in a folder of its own and waits until it answers.
 *
 * @param prepare fills the folder and returns the command line.
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startPeer(
  { path, headers = {}, authority, status }: Readiness,
  prepare: (home: string, port: number) => Promise<string[]>,
): Promise<RunningPeer> {
  const port = freePort();
  const url = `${authority === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  await using cleanup = new AsyncDisposableStack();
  const home = await Deno.makeTempDir({ prefix: "bowire-peer-" });
  cleanup.defer(() => Deno.remove(home, { recursive: true }));
  const [command = "", ...args] = await prepare(home, port);
  const child = spawn(command, args);
  // Read to the end, or a full pipe would stop the child.
  const stderr = child.stderr.text();
  let isRunning = true;
  const ended = child.status.then(() => isRunning = false);
  cleanup.defer(async () => {
    if (isRunning) child.kill("SIGKILL");
    await Promise.all([ended, stderr]);
  });
  using client = Deno.createHttpClient(authority === undefined ? {} : { caCerts: [authority] });
  for (let poll = 0; poll < MAX_POLLS && isRunning; poll++) {
    if (await isAnswering(url + path, { headers, client }, status)) {
      const kept = cleanup.move();
      return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(
    isRunning
      ? `cannot start "${command}": no answer from ${url}${path}`
      : `cannot start "${command}": it ended with "${(await stderr).slice(-2000)}"`,
  );
}

function spawn(command: string, args: string[]): Deno.ChildProcess {
  try {
    return new Deno.Command(command, { args, stdin: "null", stdout: "null", stderr: "piped" })
      .spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const remedy = command === "java"
      ? "install a Java 17 runtime"
      : 'run "deno task ok --only peers"';
    throw new Error(`cannot start "${command}": no such program; ${remedy}`, { cause: error });
  }
}

async function isAnswering(
  url: string,
  init: { headers: Readonly<Record<string, string>>; client: Deno.HttpClient },
  status: number | undefined,
): Promise<boolean> {
  try {
    const response = await fetch(url, init);
    await response.body?.cancel();
    return status === undefined ? response.ok : response.status === status;
  } catch {
    return false;
  }
}

/**
 * A port that was free a moment ago, from below those that systems hand out by themselves: none of
 * the connections of this machine takes it before it is listened at.
 */
export function freePort(): number {
  for (let attempt = 0; attempt < MAX_PORTS; attempt++) {
    const port = LOW_PORT + Math.floor(Math.random() * PORT_COUNT);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error(`${MAX_PORTS} ports are taken`);
}
