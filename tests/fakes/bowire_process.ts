/**
 * Starts the real program with the permissions that its documentation names and no other.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { within } from "./deadline.ts";
import type { Home } from "./home.ts";

/** The module that is run. */
export const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
/** What Deno reads to start the worker that runs the plugins. */
const SOURCES = ["lib", "plugins", "deno.json"].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url))
);

/** Where util-linux is, a command can be given a terminal. */
export const HAS_PTY = Deno.build.os === "linux" && await new Deno.Command("script", {
  args: ["--version"],
}).output().then(({ success }) => success, () => false);

/** How the program is started. */
export interface StartOptions {
  /** Variables besides those that Deno itself needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** What `--allow-net` names. @default this machine */
  readonly net?: readonly string[];
  /** What `--allow-read` names besides the home folder. */
  readonly read?: readonly string[];
  /** The module to run. @default main.ts */
  readonly main?: string;
  /** All flags of `deno run`, in place of those that the other options make. */
  readonly flags?: readonly string[];
}

/** A program that ran to its end. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, or has run. */
export interface Running extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
  /** What it has written to standard error so far. */
  readonly stderr: () => string;
  /** Settles when it has ended and its standard error is read. */
  readonly ended: Promise<Deno.CommandStatus>;
}

/** Arguments for `deno` that start the program. */
export function denoArguments(
  home: Home,
  args: readonly string[],
  options: StartOptions = {},
): string[] {
  return ["run", ...options.flags ?? flagsFor(home, options), options.main ?? MAIN, ...args];
}

/** The permissions that the documentation names. */
export function flagsFor(home: Home, options: StartOptions = {}): string[] {
  const net = options.net ?? ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"];
  return [
    "--cached-only",
    "--no-prompt",
    "--ignore-env",
    "--allow-env=BOWIRE_*,HOME,USERPROFILE",
    `--allow-read=${[home.path, ...SOURCES, ...options.read ?? []].join(",")}`,
    `--allow-write=${home.path}`,
    ...net.length === 0 ? [] : [`--allow-net=${net.join(",")}`],
  ];
}

/** The program's own configuration. */
const OWN = new URL("../../deno.json", import.meta.url);

/** Writes a `deno.json` with the program's packages and what else is given; tells its path. */
export async function putConfig(home: Home, members: Record<string, unknown>): Promise<string> {
  const { imports, nodeModulesDir, allowScripts } = JSON.parse(await Deno.readTextFile(OWN));
  const lock = { path: fileURLToPath(new URL("deno.lock", OWN)), frozen: true };
  return await home.put("deno.json", { imports, nodeModulesDir, allowScripts, lock, ...members });
}

/** The whole environment of the program: where Deno keeps its modules, and the home folder. */
export function environmentOf(home: Home, options: StartOptions = {}): Record<string, string> {
  const inherited = ["HOME", "DENO_DIR", "XDG_CACHE_HOME"].map((
    name,
  ) => [name, Deno.env.get(name)]);
  return {
    ...Object.fromEntries(inherited.filter(([, value]) => value !== undefined)),
    BOWIRE_DATA_DIR: home.path,
    ...options.env,
  };
}

/** The command line that starts the program, with its whole environment, for others to run. */
export function stdioCommand(home: Home, args: readonly string[]): string[] {
  const variables = Object.entries(environmentOf(home)).map(([name, value]) => `${name}=${value}`);
  return [
    ...["/usr/bin/env", "--ignore-environment", ...variables],
    ...[Deno.execPath(), ...denoArguments(home, args)],
  ];
}

/** Starts the program; disposing it ends it. */
export function startBowire(home: Home, args: readonly string[], options: StartOptions): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: denoArguments(home, args, options),
    env: environmentOf(home, options),
    clearEnv: true,
    cwd: home.path,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) stderr += text;
  })();
  const ended = Promise.all([child.status, reading]).then(([status]) => status);
  let isRunning = true;
  child.status.then(() => isRunning = false);
  return {
    child,
    stderr: () => stderr,
    ended,
    async [Symbol.asyncDispose]() {
      if (isRunning) child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs the program to its end. */
export async function runBowire(
  home: Home,
  args: readonly string[],
  options: StartOptions & { readonly stdin?: string } = {},
): Promise<Finished> {
  await using running = startBowire(home, args, options);
  const { child } = running;
  const stdout = new Response(child.stdout).text();
  await writeAll(child.stdin, options.stdin ?? "");
  const { code } = await within(running.ended, `bowire ${args.join(" ")} to end`, running.stderr);
  return { code, stdout: await stdout, stderr: running.stderr() };
}

/**
 * Runs the program on a terminal, where there are such.
 *
 * @param options.typed all that is typed there; without, nobody could.
 * @returns what it showed there.
 */
export async function runOnTerminal(
  home: Home,
  args: readonly string[],
  options: StartOptions & { readonly typed?: string } = {},
): Promise<string> {
  const words = [Deno.execPath(), ...denoArguments(home, args, options)];
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const { typed } = options;
  const child = new Deno.Command("script", {
    args: ["-qec", quoted, "/dev/null"],
    env: { ...environmentOf(home, options), PATH: Deno.env.get("PATH") ?? "", TERM: "xterm" },
    clearEnv: true,
    stdin: typed === undefined ? "null" : "piped",
    stdout: "piped",
  }).spawn();
  if (typed !== undefined) await writeAll(child.stdin, typed);
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout);
}

async function writeAll(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  try {
    await new Blob([text]).stream().pipeTo(stdin);
  } catch (error) {
    // It may have ended without reading.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** A program that listens. */
export interface HttpBowire extends Running {
  /** The printed URL, as `http://localhost:1234/mcp`. */
  readonly url: string;
  /** All that it has printed so far. */
  readonly stdout: () => string;
  /** Sends a signal and waits for the end. */
  stop(signal?: Deno.Signal): Promise<Deno.CommandStatus>;
}

/** How a program that listens is started. */
export interface HttpOptions extends StartOptions {
  /** Whether the arguments or variables name a port. @default false, a free one is taken */
  readonly hasPort?: boolean;
}

/** Starts `mcp serve --bind http`. */
export function startHttp(
  home: Home,
  args: readonly string[] = [],
  options: HttpOptions = {},
): Promise<HttpBowire> {
  return startListening(home, ["mcp", "serve", "--bind", "http", ...args], options);
}

/** Starts `--enable-mcp-adapter` with arguments that say for what, over HTTP. */
export function startAdapter(
  home: Home,
  args: readonly string[],
  options: HttpOptions = {},
): Promise<HttpBowire> {
  return startListening(home, ["--enable-mcp-adapter", ...args], options);
}

async function startListening(
  home: Home,
  args: readonly string[],
  options: HttpOptions,
): Promise<HttpBowire> {
  const port = options.hasPort === true ? [] : ["--port", "0"];
  const running = startBowire(home, [...args, ...port], options);
  await using guard = new AsyncDisposableStack();
  guard.use(running);
  await running.child.stdin.close();
  let stdout = "";
  const listening = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const text of running.child.stdout.pipeThrough(new TextDecoderStream())) {
      stdout += text;
      const url = /listening at (\S+)\n[\s\S]*Connect/.exec(stdout)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
    listening.reject(new Error(`it ended without listening: ${running.stderr()}`));
  })();
  const url = await within(listening.promise, "the server to listen", running.stderr);
  guard.move();
  const ended = Promise.all([running.ended, reading]).then(([status]) => status);
  return {
    ...running,
    url,
    ended,
    stdout: () => stdout,
    async stop(signal = "SIGTERM") {
      running.child.kill(signal);
      return await within(ended, `the end after ${signal}`, running.stderr);
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await reading;
    },
  };
}
