import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { deepStrictEqual, match, rejects } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { compileProtos } from "../../../plugins/grpc/compile/mod.ts";
import { DEADLINE_MS } from "../../fakes/deadline.ts";
import { ECHO, handlersOf } from "./echo.ts";
import { type Fixture, type Mode, openFixture, testInBothModes } from "./fixture.ts";
import {
  bytesOf,
  END_HEADERS,
  END_STREAM,
  frame,
  headerBlock,
  headers,
  message,
  type Raw,
  type Script,
  serveRaw,
} from "./raw_http2.ts";
import { serveGrpc } from "./server.ts";

const SETTINGS = frame("settings", [], { stream: 0 });
const OK = { ":status": "200", "content-type": "application/grpc" };
const HEAD = headers(OK);
const HI = frame("data", message([0x0a, 2, 104, 105]));
const MIB = 1024 * 1024;
/** 60 MiB of nothing, which fits into the first window of a stream. */
const BOMB = gzipSync(new Uint8Array(60 * MIB));

/** The end of an answer. */
function trailers(fields: Readonly<Record<string, string>>): Uint8Array {
  return headers(fields, END_STREAM);
}

/** GOAWAY: which stream is the last one that is served, and why. */
function goaway(last: number, code: number): Uint8Array {
  return frame("goaway", [...bytesOf(last, 4), ...bytesOf(code, 4)], { stream: 0 });
}

/** Sends something once a call has come, and nothing more. */
function answering(...frames: readonly Uint8Array[]): Script {
  return async (raw) => {
    await raw.send(SETTINGS);
    await raw.untilAsked();
    await raw.send(...frames);
    await raw.untilGone();
  };
}

/** Sends something again and again once a call has come. */
function flooding(first: readonly Uint8Array[], piece: Uint8Array): Script {
  return async (raw) => {
    await raw.send(SETTINGS);
    await raw.untilAsked();
    await raw.send(...first);
    await raw.flood(repeat(piece, 100));
  };
}

function repeat(piece: Uint8Array, count: number): Uint8Array {
  return new Uint8Array(Array.from({ length: count }, () => [...piece]).flat());
}

/** A block in HEADERS and as many CONTINUATION as it takes (RFC 9113, section 6.10). */
function inPieces(block: Uint8Array, size = 16_384): Uint8Array[] {
  const count = Math.ceil(block.length / size);
  return Array.from({ length: count }, (_, n) => {
    const flags = n === count - 1 ? END_HEADERS : 0;
    return frame(n === 0 ? "headers" : "continuation", block.subarray(n * size, (n + 1) * size), {
      flags,
    });
  });
}

/** One call to a server that misbehaves. */
interface Attempt {
  /** Of the script. */
  readonly name: string;
  /** Answered once, or with a stream. */
  readonly method: "Unary" | "Chat";
  readonly call: () => ReturnType<Fixture["stream"]>;
}

/**
 * Calls a server of its own for each script and each kind of answer, and a good server after each.
 */
async function withHostile(
  mode: Mode,
  scripts: Readonly<Record<string, Script>>,
  check: (attempt: Attempt) => Promise<void>,
  timeoutMs = DEADLINE_MS,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const attempts = Object.entries(scripts).flatMap(([name, script]) =>
    (["Unary", "Chat"] as const).map((method) => {
      const { url } = cleanup.use(serveRaw(script));
      return { name, method, url };
    })
  );
  const handlers = handlersOf({ metadata: [], cancelled: 0 });
  const good = cleanup.use(await serveGrpc({ protos: { "echo.proto": ECHO }, handlers }));
  await using fixture = await openFixture(mode, [good.url, ...attempts.map(({ url }) => url)]);
  const { files } = await compileProtos(
    ["echo.proto"],
    (path) => Promise.resolve(path === "echo.proto" ? ECHO : undefined),
  );
  const set = create(FileDescriptorSetSchema, { file: [...files] });
  const content = new Uint8Array(toBinary(FileDescriptorSetSchema, set));
  const schema = { protocol: "grpc", services: ["echo.Echo"], content, files: [], roots: [] };
  for (const { name, method, url } of attempts) {
    await fixture.host.schemas.addForRun({ url, ...schema });
    const body = { text: "a" };
    const call = () => fixture.stream(url, `echo.Echo/${method}`, body, { timeoutMs });
    await check({ name: `${name}, ${method}`, method, call });
    deepStrictEqual(await fixture.ask(good.url, "echo.Echo/Unary", body), body, name);
  }
}

testInBothModes("what is no HTTP/2 is told from what is no answer", async (mode) => {
  const text = new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  const scripts = {
    garbage: (raw: Raw) => raw.send(crypto.getRandomValues(new Uint8Array(1000))),
    zeros: (raw: Raw) => raw.send(new Uint8Array(100_000)),
    "HTTP/1.1": (raw: Raw) => raw.send(text),
    "closed at once": () => Promise.resolve(),
    "settings of 16 MiB": (raw: Raw) => raw.send(frame("settings", [], { length: 0xffffff })),
    "half a setting": (raw: Raw) => raw.send(frame("settings", [1, 2, 3], { stream: 0 })),
  };
  await withHostile(mode, scripts, async ({ name, call }) => {
    await rejects(call(), { code: "unreachable", message: /does not speak HTTP\/2/ }, name);
  });
});

testInBothModes("servers that do not answer are given up in time", async (mode) => {
  const informational = headers({ ":status": "103", link: "x".repeat(100) });
  const scripts = {
    silent: (raw: Raw) => raw.untilGone(),
    "settings only": answering(),
    "no room for a request": async (raw: Raw) => {
      await raw.send(frame("settings", [0, 4, 0, 0, 0, 0], { stream: 0 }));
      await raw.untilGone();
    },
    "no streams": async (raw: Raw) => {
      await raw.send(frame("settings", [0, 3, 0, 0, 0, 0], { stream: 0 }));
      await raw.untilGone();
    },
    "half a frame": answering(HEAD.subarray(0, 20)),
    "interim answers for ever": flooding([], informational),
  };
  await withHostile(mode, scripts, async ({ name, call }) => {
    await rejects(call(), { code: "timeout", message: /within 300 ms/ }, name);
  }, 300);
});

testInBothModes("a connection that breaks off ends its calls, and no others", async (mode) => {
  const big = headerBlock({ ...OK, "x-big": "x".repeat(MIB) });
  const scripts = {
    "closed after its settings": async (raw: Raw) => {
      await raw.send(SETTINGS);
      await raw.untilAsked();
    },
    "half a frame": async (raw: Raw) => {
      await raw.send(SETTINGS);
      await raw.untilAsked();
      await raw.send(HEAD.subarray(0, 20));
    },
    "a frame of 16 MiB": answering(frame("data", [1], { length: 0xffffff })),
    "no header block": answering(frame("headers", repeat(new Uint8Array([255]), 9))),
    "data before headers": answering(HI),
    "headers without a status": answering(headers({ "content-type": "application/grpc" })),
    "headers of 1 MiB": answering(...inPieces(big)),
    "headers without end": flooding(
      [frame("headers", headerBlock(OK))],
      frame("continuation", headerBlock({ "x-a": "y".repeat(100) })),
    ),
    "pings without end": flooding([], frame("ping", new Uint8Array(8), { stream: 0 })),
    "settings without end": flooding([], SETTINGS),
    "nothing without end": flooding([HEAD], frame("data")),
    "a window too large": answering(
      ...[1, 2].map(() => frame("window", bytesOf(0x7fffffff, 4), { stream: 0 })),
    ),
    "going away at once": async (raw: Raw) => {
      await raw.send(SETTINGS, goaway(0, 0));
      await raw.untilGone();
    },
    "going away before the call": answering(goaway(0, 0)),
    "going away in the middle": answering(HEAD, HI, goaway(0, 2)),
    "gone in the middle": async (raw: Raw) => {
      await raw.send(SETTINGS);
      await raw.untilAsked();
      await raw.send(HEAD, HI, goaway(1, 0));
    },
  };
  await withHostile(mode, scripts, async ({ name, method, call }) => {
    const { frames, end } = await call();
    deepStrictEqual(end?.status, "Unavailable", name);
    match(end?.response ?? "", /the connection was lost: /, name);
    const hasMessage = method === "Chat" && name.includes("in the middle");
    deepStrictEqual(frames, hasMessage ? [{ text: "hi" }] : [], name);
  });
});

testInBothModes("a stream that is reset tells why, before its answer and in it", async (mode) => {
  const statuses = {
    0: "Unavailable",
    1: "Internal",
    2: "Internal",
    7: "Unavailable",
    8: "Cancelled",
    11: "ResourceExhausted",
    12: "PermissionDenied",
    99: "Internal",
  };
  const scripts = Object.fromEntries(
    Object.keys(statuses).flatMap((code): [string, Script][] => {
      const reset = frame("reset", bytesOf(Number(code), 4));
      return code === "0"
        ? [[`${code}`, answering(reset)]]
        : [[`${code}`, answering(reset)], [`${code} late`, answering(HEAD, HI, reset)]];
    }),
  );
  await withHostile(mode, scripts, async ({ name, method, call }) => {
    const code = /^\d+/.exec(name)?.[0];
    const { frames, end } = await call();
    deepStrictEqual(end?.status, Object.entries(statuses).find(([known]) => known === code)?.[1]);
    match(end?.response ?? "", new RegExp(`reset the stream with HTTP/2 code ${code}"`), name);
    const hasMessage = method === "Chat" && name.includes("late");
    deepStrictEqual(frames, hasMessage ? [{ text: "hi" }] : [], name);
  });
});

testInBothModes("a message that says or becomes too much is refused", async (mode) => {
  const zipped = headers({ ...OK, "grpc-encoding": "gzip" });
  const bomb = message(BOMB, { isCompressed: true });
  const pieces = Array.from(
    { length: Math.ceil(bomb.length / 16_384) },
    (_, n) => frame("data", bomb.subarray(n * 16_384, (n + 1) * 16_384)),
  );
  const scripts = {
    "2 GiB": answering(HEAD, frame("data", message([1], { length: 2 ** 31 }))),
    "a bomb": answering(zipped, ...pieces, trailers({ "grpc-status": "0" })),
  };
  await withHostile(mode, scripts, async ({ name, call }) => {
    await rejects(call(), { code: "too_large", message: /larger than 4194304 bytes/ }, name);
  });
});

testInBothModes("answers that are no gRPC say what is wrong with them", async (mode) => {
  const done = trailers({ "grpc-status": "0" });
  const packed = frame("data", message([1, 2, 3], { isCompressed: true }));
  const zipped = headers({ ...OK, "grpc-encoding": "gzip" });
  const gone = { "grpc-status": "5", "grpc-message": "gone" };
  const cases: Record<string, readonly [string, RegExp, ...Uint8Array[]]> = {
    "no trailers": ["Internal", /missing status/, HEAD, frame("data", [], { flags: END_STREAM })],
    "no status": ["Internal", /missing status/, HEAD, trailers({ "x-a": "1" })],
    "an odd status": ["Internal", /grpc-status: abc/, HEAD, trailers({ "grpc-status": "abc" })],
    "half a message": [
      "InvalidArgument",
      /incomplete envelope/,
      HEAD,
      frame("data", message([1], { length: 9 })),
      done,
    ],
    "HTML": [
      "Unknown",
      /content type text\/html/,
      headers({ ...OK, "content-type": "text/html" }, END_STREAM),
    ],
    "an error of HTTP": ["Unavailable", /HTTP 503/, headers({ ":status": "503" }, END_STREAM)],
    "an encoding that was not asked for": [
      "Internal",
      /encoding \\"snappy\\"/,
      headers({ ...OK, "grpc-encoding": "snappy" }),
      packed,
      done,
    ],
    "no encoding": ["Internal", /do not know how to decompress/, HEAD, packed, done],
    "no gzip": ["Internal", /not compressed with gzip/, zipped, packed, done],
    "details that cannot be read": [
      "NotFound",
      /"gone"/,
      HEAD,
      trailers({ ...gone, "grpc-status-details-bin": "//////8" }),
    ],
    "details that are no base64": [
      "NotFound",
      /"gone"/,
      headers({ ...OK, ...gone, "grpc-status-details-bin": "!" }, END_STREAM),
    ],
  };
  const scripts = Object.fromEntries(
    Object.entries(cases).map(([name, [, , ...frames]]) => [name, answering(...frames)]),
  );
  await withHostile(mode, scripts, async ({ name, method, call }) => {
    const [status, said = /^$/] = cases[name.slice(0, -`, ${method}`.length)] ?? [];
    const { frames, end } = await call();
    deepStrictEqual([frames, end?.status], [[], status], name);
    match(end?.response ?? "", said, name);
  });
});

testInBothModes("an answer that is no message of its type says so", async (mode) => {
  const script = answering(HEAD, frame("data", message([255])), trailers({ "grpc-status": "0" }));
  await withHostile(mode, { "no message in it": script }, async ({ name, call }) => {
    await rejects(call(), { code: "bad_document", message: /cannot decode "echo\.Note"/ }, name);
  });
});
