// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Serves one document on loopback, with an `ETag` if asked for, and prints the port. The bytes are
 * in memory before the first request.
 *
 * Run: `deno run --allow-read --allow-net=127.0.0.1 serve.ts FILE [etag]`
 *
 * @module
 */
const [file = "", validator] = Deno.args;
const bytes = await Deno.readFile(file);
const headers: Record<string, string> = {
  "content-type": "application/json",
  ...(validator === "etag" ? { etag: '"1"' } : {}),
};

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(String(port)),
}, (request) => {
  const known = request.headers.get("if-none-match");
  return known !== null && known === headers["etag"]
    ? new Response(null, { status: 304, headers })
    : new Response(bytes, { headers });
});
