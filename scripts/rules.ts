/**
 * The rule book of the checks: data only.
 *
 * @module
 */

/**
 * The rooms, lowest floor first. A room imports rooms of lower floors and itself, never a
 * neighbour on its own floor.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ["lib/version.ts"],
  ["lib/model", "lib/errors"],
  ["lib/schema"],
  ["lib/gate", "lib/store", "lib/lint", "lib/contract", "lib/report"],
  ["lib/mcp"],
  ["lib/protocol", "lib/http"],
  ["lib/sandbox", "lib/forwarder"],
  ["lib/call", "lib/mock"],
  ["lib/recording"],
  ["lib/host"],
  ["lib/server", "lib/adapter", "lib/workbench"],
  ["lib/adapted.ts"],
  ["lib/bowire.ts"],
  ["lib/cli", "mod.ts"],
  ["main.ts"],
];

/** What a plugin's folder sees of the core. */
export const PLUGIN_MAY: readonly string[] = [
  "lib/version.ts",
  "lib/model",
  "lib/errors",
  "lib/schema",
  "lib/protocol",
];

/** Places in `lib/` where the id of a protocol is a word of Bowire's own: `bowire mcp serve`. */
export const WORD_PLACES: readonly string[] = [
  "lib/bowire.ts",
  "lib/cli/commands/mcp.ts",
  "lib/cli/commands/permissions.ts",
];

/** A piece of code that only some places may hold. */
export interface Reserved {
  readonly what: string;
  /**
   * Searched in code without comments, strings and patterns. When it ends with a parenthesis, the
   * definition of a method with that name does not count.
   */
  readonly pattern: RegExp;
  /** Rooms and files. */
  readonly places: readonly string[];
}

const FILE_FUNCTIONS = ("chmod copyFile create link lstat makeTempDir makeTempFile mkdir open " +
  "readDir readFile readLink readTextFile realPath remove rename stat symlink truncate utime " +
  "watchFs writeFile writeTextFile").replaceAll(" ", "|");

/** Reserved code in `lib/`, `plugins/`, `main.ts` and `mod.ts`. */
export const RESERVED: readonly Reserved[] = [
  {
    what: "a Deno file function",
    pattern: new RegExp(`\\bDeno\\.(?:${FILE_FUNCTIONS})(?:Sync)?\\b`),
    places: ["lib/store", "lib/cli"],
  },
  {
    what: "Deno.env",
    pattern: /\bDeno\.env\b/,
    places: ["lib/store"],
  },
  {
    what: "Deno.args, Deno.exit or a standard stream",
    pattern: /\bDeno\.(?:args|exit|exitCode|stdin|stdout|stderr)\b/,
    places: ["lib/cli", "lib/sandbox/confine.ts", "main.ts"],
  },
  {
    what: "console",
    pattern: /(?<![\w$#.])console\s*[.[]/,
    places: ["lib/cli", "main.ts"],
  },
  {
    what: "the global fetch",
    pattern: /\bglobalThis\.fetch\b|(?<![\w$#.]|\bfunction\s+)fetch\s*\(/,
    places: ["lib/protocol/http/follow.ts"],
  },
  {
    what: "a network connection",
    pattern:
      /\bDeno\.(?:connect|connectTls|createHttpClient|startTls|resolveDns)\b|\bnew\s+(?:WebSocket|EventSource)\b/,
    places: ["lib/protocol/socket.ts", "lib/protocol/http/tls_client.ts"],
  },
  {
    what: "starting a program",
    pattern: /\bDeno\.(?:Command|kill)\b/,
    places: ["lib/protocol/program.ts"],
  },
  {
    what: "a network listener",
    pattern: /\bDeno\.(?:serve|listen|listenTls|listenDatagram)\b/,
    places: ["lib/http", "lib/cli"],
  },
  {
    what: "making a Target",
    pattern: /\bnew\s+Target\b|(?<![\w$#.])mint\s*\(/,
    places: ["lib/gate/allowlist.ts"],
  },
];

/** Most lines and files, and the lines from which a source file is pointed out. */
export const SIZES = {
  sourceLines: 350,
  sourceLinesToWarn: 180,
  testLines: 600,
  functionLines: 70,
  filesInFolder: 14,
} as const;
