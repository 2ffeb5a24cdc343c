import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Client } from "@modelcontextprotocol/client";
import { createEndpoint, type ListName, serveStreams } from "../../lib/mcp/mod.ts";
import { within } from "../fakes/deadline.ts";
import { linesOf } from "../fakes/conversation.ts";
import { INITIALIZE } from "../fakes/mcp_requests.ts";
import {
  echo,
  tinyCatalogue,
  TinyChanges,
  tinyPrompts,
  tinyResources,
} from "../fakes/tiny_catalogue.ts";
import { ask, type Connected, connectHttp, connectStreams, ERAS, MODERN_META } from "./connect.ts";

const LISTS: readonly ListName[] = ["tools", "resources", "prompts"];

function changing(changes: TinyChanges) {
  const { onChange } = changes;
  return tinyCatalogue({ echo }, { onChange, resources: tinyResources({}), prompts: tinyPrompts });
}

/** What a client hears. */
class Ear {
  readonly heard: string[] = [];
  readonly #count: number;
  readonly #full = Promise.withResolvers<void>();

  /** @param count how much the client is to hear. */
  constructor(count: number) {
    this.#count = count;
  }

  readonly prepare = (client: Client): void => {
    for (const list of LISTS) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
        this.heard.push(list);
        if (this.heard.length === this.#count) this.#full.resolve();
      });
    }
  };

  /** Settles with what was heard when it is as much as was told. */
  async all(): Promise<string[]> {
    await within(this.#full.promise, `${this.#count} notifications`);
    return this.heard;
  }
}

/** Asks for all that a client of 2026-07-28 can hear; an older one hears it unasked. */
async function subscribe(client: Client): Promise<void> {
  if (client.getNegotiatedProtocolVersion() !== "2026-07-28") return;
  await client.listen({
    toolsListChanged: true,
    resourcesListChanged: true,
    promptsListChanged: true,
  });
}

const WAYS = ["HTTP", "streams"] as const;

for (const { era, mode } of ERAS) {
  for (const way of WAYS) {
    Deno.test(`a client over ${way} hears of changed lists in a ${era}`, async () => {
      const changes = new TinyChanges();
      const ear = new Ear(3);
      const speech = { mode, prepare: ear.prepare };
      {
        await using connected: Connected = way === "HTTP"
          ? await connectStreaming(changes, speech)
          : await connectStreams(changing(changes), speech);
        const list = { listChanged: true };
        deepStrictEqual(
          connected.client.getServerCapabilities(),
          { tools: list, resources: list, prompts: list },
        );
        await subscribe(connected.client);
        strictEqual(changes.size, 1);
        changes.tell(...LISTS);
        deepStrictEqual(await ear.all(), LISTS);
      }
      strictEqual(changes.size, 0);
    });
  }
}

/** Connects over HTTP, and waits for the stream on which a session hears. */
async function connectStreaming(
  changes: TinyChanges,
  speech: Parameters<typeof connectHttp>[1],
): Promise<Connected> {
  const connected = await connectHttp(changing(changes), speech);
  if (speech.mode === "legacy") await within(connected.streaming, "the stream of the session");
  return connected;
}

for (const way of WAYS) {
  Deno.test(`a listener over ${way} hears only what it asked for, and until it stops`, async () => {
    const changes = new TinyChanges();
    const ear = new Ear(2);
    const connect = way === "HTTP" ? connectHttp : connectStreams;
    await using connected = await connect(changing(changes), {
      mode: { pin: "2026-07-28" },
      prepare: ear.prepare,
    });
    const first = await connected.client.listen({ promptsListChanged: true });
    changes.tell("tools", "prompts");
    await first.close();
    await connected.client.listen({ toolsListChanged: true });
    changes.tell("prompts", "tools");
    deepStrictEqual(await ear.all(), ["prompts", "tools"]);
  });
}

Deno.test("a session that has ended hears nothing, and nobody fails for it", async () => {
  const changes = new TinyChanges();
  const errors: Error[] = [];
  const ear = new Ear(1);
  {
    await using connected = await connectHttp(changing(changes), {
      mode: "legacy",
      prepare: ear.prepare,
      onError: (error) => errors.push(error),
    });
    await within(connected.streaming, "the stream of the session");
    await connected.terminate();
    changes.tell("tools");
  }
  deepStrictEqual([ear.heard, errors], [[], []]);
});

Deno.test("a client is not told of lists that the catalogue does not have", async () => {
  const changes = new TinyChanges();
  const ear = new Ear(1);
  const errors: Error[] = [];
  const catalogue = tinyCatalogue({ echo }, { onChange: changes.onChange });
  await using _connected = await connectStreams(catalogue, {
    mode: "legacy",
    prepare: ear.prepare,
    onError: (error) => errors.push(error),
  });
  changes.tell("resources", "prompts", "tools");
  deepStrictEqual([await ear.all(), errors], [["tools"], []]);
});

Deno.test("an older client over streams hears nothing until it is ready, after a probe, too", async () => {
  const changes = new TinyChanges();
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const input = there.writable.getWriter();
  const send = (message: unknown) =>
    input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const errors: Error[] = [];
  const served = serveStreams(changing(changes), {
    input: there.readable,
    output: back.writable,
    onError: (error) => errors.push(error),
  });
  const lines = linesOf(back.readable);
  const next = async () => JSON.parse((await within(lines.next(), "a line")).value ?? "null");
  await send({
    jsonrpc: "2.0",
    id: "d",
    method: "server/discover",
    params: { _meta: MODERN_META },
  });
  strictEqual((await next()).id, "d");
  changes.tell("tools");
  await send(INITIALIZE);
  strictEqual((await next()).id, INITIALIZE.id);
  changes.tell("tools");
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await send({ jsonrpc: "2.0", id: "p", method: "ping" });
  strictEqual((await next()).id, "p");
  changes.tell("prompts");
  strictEqual((await next()).method, "notifications/prompts/list_changed");
  await input.close();
  await served;
  deepStrictEqual(errors, []);
});

const TTLS = [[undefined, 300_000], [new TinyChanges().onChange, 10_000]] as const;

for (const [onChange, ttlMs] of TTLS) {
  const which = onChange === undefined ? "never changes" : "can change";
  Deno.test(`a list that ${which} may be kept for ${ttlMs} ms`, async () => {
    const resources = tinyResources({});
    const catalogue = tinyCatalogue({ echo }, {
      resources,
      prompts: tinyPrompts,
      ...(onChange && { onChange }),
    });
    const endpoint = createEndpoint(catalogue);
    for (const list of [...LISTS, "resources/templates"]) {
      const { result } = await ask(endpoint, "2026-07-28", { method: `${list}/list` });
      deepStrictEqual([result.ttlMs, result.cacheScope], [ttlMs, "private"]);
    }
    await endpoint.close();
  });
}

Deno.test("a server without sessions does not promise older clients to tell of changes", async () => {
  const endpoint = createEndpoint(changing(new TinyChanges()), { sessions: false });
  const { result } = await ask(endpoint, "2025-11-25", INITIALIZE);
  deepStrictEqual(result.capabilities, { tools: {}, resources: {}, prompts: {} });
  await endpoint.close();
});
