/**
 * `fromOpenAPI` of fastmcp as a program: serves the operations of an OpenAPI document over stdio.
 *
 * Run: `node fastmcp_server.mjs FILE BASE_URL`
 */
import { argv } from "node:process";
import { fromOpenAPI } from "fastmcp/openapi";

const [, , spec, baseUrl] = argv;
// Else it refuses documents of more operations than it thinks good for an agent.
const server = await fromOpenAPI({ spec, baseUrl, maxTools: Number.MAX_SAFE_INTEGER });
await server.start({ transportType: "stdio" });
