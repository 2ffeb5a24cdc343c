/**
 * Fetches a document and reads it with `JSON.parse`, or with `dereference` of @scalar/openapi-parser
 * besides, and prints what it took, as JSON.
 */
import { argv, resourceUsage } from "node:process";

const [, , what, url] = argv;
// What is imported is not measured; ours is imported before as well.
const { dereference } = await import("@scalar/openapi-parser");
const startedMs = performance.now();
const root = JSON.parse(await (await fetch(url)).text());
if (what === "dereference") await dereference(root);
const coldMs = performance.now() - startedMs;
console.log(JSON.stringify({ coldMs, coldMib: resourceUsage().maxRSS / 1024 }));
