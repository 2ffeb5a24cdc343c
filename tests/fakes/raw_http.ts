/**
 * HTTP without a client library, for headers that such a library would not send.
 *
 * @module
 */
import { within } from "./deadline.ts";

/** Sends lines of a request head and a body to a port of this machine. @returns status and whole answer. */
export async function sendRaw(
  url: string,
  head: readonly string[],
  body = "",
): Promise<{ status: number; text: string }> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  const length = new TextEncoder().encode(body).byteLength;
  const request = [...head, `Content-Length: ${length}`, "Connection: close", "", body];
  const writer = socket.writable.getWriter();
  await writer.write(new TextEncoder().encode(request.join("\r\n")));
  writer.releaseLock();
  const text = await within(new Response(socket.readable).text(), "the answer");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}
