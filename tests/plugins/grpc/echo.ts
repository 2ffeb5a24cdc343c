/**
 * A service that answers in every way that a call can be answered.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { writeStatus } from "../../../plugins/grpc/status/status_message.ts";
import { Status, type Texts } from "../../../samples/grpc_target/grpc_server.ts";
import type { Handler } from "./server.ts";

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
  metadata: Texts[];
  cancelled: number;
}

/** What its methods do. */
export function handlersOf(seen: Seen): Readonly<Record<string, Handler>> {
  const noted = (handler: Handler): Handler => async (call) => {
    seen.metadata.push(call.metadata);
    return await handler(call);
  };
  const echo: Handler = async (call) => {
    for await (const note of call.messages()) await call.send(note);
  };
  const handlers: Record<string, Handler> = {
    async Unary(call) {
      call.sendHeaders({ "x-head": "first", "x-bytes-bin": "AAH/" });
      for await (const note of call.messages()) await call.send(note);
      return { trailers: { "x-tail": "last" } };
    },
    Chat: echo,
    async Collect(call) {
      const texts: string[] = [];
      for await (const note of call.messages()) texts.push(String(Object(note).text ?? ""));
      await call.send({ text: texts.join("+") });
    },
    async Burst(call) {
      for await (const _ of call.messages()) { /* one */ }
      for (const text of ["a", "b", "c"]) call.send({ text }); // at once
      return { code: Status.DATA_LOSS, message: "no more" };
    },
    async Fail(call) {
      for await (const _ of call.messages()) { /* one */ }
      const trailers = { "grpc-status-details-bin": badRequest() };
      return { code: Status.INVALID_ARGUMENT, message: "bad text", trailers };
    },
    async Forever(call) {
      await call.send({ text: "begun" });
      await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
      seen.cancelled++;
    },
    Large(call) {
      return call.send({ raw: btoa("x".repeat(5 * 1024 * 1024)) });
    },
    Odd(call) {
      return call.sendBytes(new Uint8Array([0x0a, 2, 104, 105, 0x98, 0x06, 7])); // text, and field 99
    },
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [`echo.Echo/${name}`, noted(handler)]),
  );
}

/** google.rpc.BadRequest { field_violations { field: "text" description: "too short" } } */
function badRequest(): string {
  const violation = [0x0a, 4, ...bytes("text"), 0x12, 9, ...bytes("too short")];
  const value = new Uint8Array([0x0a, violation.length, ...violation]);
  const typeUrl = "type.googleapis.com/google.rpc.BadRequest";
  const status = writeStatus({ code: 3, message: "bad text", details: [{ typeUrl, value }] });
  return Buffer.from(status).toString("base64");
}

function bytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}
