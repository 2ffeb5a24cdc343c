/**
 * A service that answers in every way that a call can be answered. Run as a program, it serves
 * itself in a process of its own and prints its URL.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Metadata, status } from "@grpc/grpc-js";
import { writeStatus } from "../../../plugins/grpc/status/status_message.ts";
import { type Handler, serveGrpc } from "./server.ts";

export const ECHO = `
  syntax = "proto3";
  package echo;
  import "google/protobuf/any.proto";
  message Note {
    string text = 1;
    int64 big = 2;
    uint64 wide = 3;
    bytes raw = 4;
    google.protobuf.Any any = 5;
    map<string, int64> counts = 6;
  }
  service Echo {
    rpc Unary(Note) returns (Note);
    rpc Collect(stream Note) returns (Note);
    rpc Burst(Note) returns (stream Note);
    rpc Chat(stream Note) returns (stream Note);
    rpc Fail(Note) returns (Note);
    rpc Forever(Note) returns (stream Note);
    rpc Large(Note) returns (Note);
    rpc Odd(Note) returns (Note);
  }
`;

/** What a server has seen. */
export interface Seen {
  metadata: Metadata[];
  cancelled: number;
}

/** What its methods do. */
export function handlersOf(seen: Seen): Readonly<Record<string, Handler>> {
  const noted = (handler: Handler): Handler => async (call) => {
    seen.metadata.push(call.metadata);
    return await handler(call);
  };
  const echo: Handler = async (call) => {
    for await (const note of call.messages()) call.send(note);
  };
  const handlers: Record<string, Handler> = {
    Unary: async (call) => {
      const headers = new Metadata();
      headers.set("x-head", "first");
      headers.set("x-bytes-bin", Buffer.from([0, 1, 255]));
      call.sendHeaders(headers);
      for await (const note of call.messages()) call.send(note);
      const metadata = new Metadata();
      metadata.set("x-tail", "last");
      return { code: status.OK, details: "", metadata };
    },
    Chat: echo,
    async Collect(call) {
      const texts: string[] = [];
      for await (const note of call.messages()) texts.push(String(Object(note).text ?? ""));
      call.send({ text: texts.join("+") });
    },
    async Burst(call) {
      for await (const _ of call.messages()) { /* one */ }
      for (const text of ["a", "b", "c"]) call.send({ text });
      return { code: status.DATA_LOSS, details: "no more" };
    },
    async Fail(call) {
      for await (const _ of call.messages()) { /* one */ }
      const metadata = new Metadata();
      metadata.set("grpc-status-details-bin", Buffer.from(badRequest()));
      return { code: status.INVALID_ARGUMENT, details: "bad text", metadata };
    },
    async Forever(call) {
      call.send({ text: "begun" });
      await call.cancelled;
      seen.cancelled++;
    },
    Large(call) {
      call.send({ raw: btoa("x".repeat(17 * 1024 * 1024)) });
      return Promise.resolve();
    },
    Odd(call) {
      call.sendBytes(new Uint8Array([0x0a, 2, 104, 105, 0x98, 0x06, 7])); // text, and field 99
      return Promise.resolve();
    },
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [`echo.Echo/${name}`, noted(handler)]),
  );
}

/** google.rpc.BadRequest { field_violations { field: "text" description: "too short" } } */
function badRequest(): Uint8Array {
  const violation = [0x0a, 4, ...bytes("text"), 0x12, 9, ...bytes("too short")];
  const value = new Uint8Array([0x0a, violation.length, ...violation]);
  const typeUrl = "type.googleapis.com/google.rpc.BadRequest";
  return writeStatus({ code: 3, message: "bad text", details: [{ typeUrl, value }] });
}

function bytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

if (import.meta.main) {
  const handlers = handlersOf({ metadata: [], cancelled: 0 });
  const port = Number(Deno.args[0] ?? 0);
  const { url } = await serveGrpc({ protos: { "echo.proto": ECHO }, handlers, port });
  await Deno.stdout.write(new TextEncoder().encode(`${url}\n`));
}
