/**
 * An agent that calls the methods of one REST server through Bowire, with an official MCP client.
 *
 * @module
 */
import { strictEqual } from "node:assert/strict";
import { type ClientKind, connectClient } from "../fakes/clients.ts";
import { Home } from "../fakes/home.ts";
import type { TestClient } from "../fakes/test_client.ts";

/** JSON data. */
// deno-lint-ignore no-explicit-any -- each answer has its own shape, and each test asserts on it
export type Json = any;

/** What the agent works with. */
export interface AgentOptions {
  /** URL of the server or of its API document. */
  readonly url: string;
  /** @default "sdk 2 auto" */
  readonly client?: ClientKind;
  /** Goes with every discovery and call. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** URLs that may be reached besides the server. */
  readonly allow?: readonly string[];
}

/** A server's answer, as Bowire reports it. */
export interface Answer {
  /** Of HTTP. */
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer as text; empty when there is none or it is bytes. */
  readonly text: string;
  /** The answer as bytes in base64, when it is not text. */
  readonly base64: string | undefined;
  /** The answer, parsed. */
  readonly json: Json;
  /** What Bowire says to do about a failure. */
  readonly hint: string | undefined;
}

/** A connected agent with a Bowire and a home folder of its own. */
export class RestAgent implements AsyncDisposable {
  readonly #client: TestClient;
  readonly #options: AgentOptions;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(client: TestClient, options: AgentOptions, cleanup: AsyncDisposableStack) {
    this.#client = client;
    this.#options = options;
    this.#cleanup = cleanup;
  }

  static async connect(options: AgentOptions): Promise<RestAgent> {
    await using cleanup = new AsyncDisposableStack();
    const home = cleanup.use(await Home.make());
    const origins = [new URL(options.url).origin, ...options.allow ?? []];
    const args = origins.flatMap((url) => ["--allow-url", url]);
    const client = cleanup.use(
      await connectClient(options.client ?? "sdk 2 auto", { kind: "stdio", home, args }),
    );
    await client.listTools();
    return new RestAgent(client, options, cleanup.move());
  }

  /** The number of methods of each service that is discovered. */
  async discover(): Promise<Record<string, number>> {
    const { url, metadata } = this.#options;
    const found = await this.#client.callTool("bowire.discover", { url, metadata, maxChars: 4000 });
    strictEqual(found.isError ?? false, false, found.content[0]?.text ?? "");
    const services: { service: string; methodCount: number }[] = found.structuredContent.services;
    return Object.fromEntries(services.map(({ service, methodCount }) => [service, methodCount]));
  }

  /**
   * Calls a method and waits for the server's answer, whatever it is.
   *
   * @param name `Service/method`.
   * @param body the method's arguments, or their JSON text.
   * @throws {AssertionError} when the server was not asked.
   */
  async call(
    name: string,
    body: unknown = {},
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const [service = "", method = ""] = name.split("/");
    const result = await this.#client.callTool("bowire.invoke", {
      url: this.#options.url,
      service,
      method,
      body,
      metadata: { ...this.#options.metadata, ...metadata },
    });
    const { metadata: headers, response, responseBinary, error } = result.structuredContent;
    strictEqual(typeof headers?.http_status, "string", result.content[0]?.text ?? "");
    strictEqual(result.isError ?? false, Number(headers.http_status) >= 400);
    return {
      code: Number(headers.http_status),
      headers,
      text: response ?? "",
      base64: responseBinary,
      hint: error?.hint,
      get json() {
        return JSON.parse(response);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}
