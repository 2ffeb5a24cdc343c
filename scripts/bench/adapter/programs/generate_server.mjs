/**
 * Generates a server with openapi-mcp-generator and makes JavaScript of it, without its types and
 * with no check of them, which would need a compiler.
 *
 * Run: `node generate_server.mjs FILE BASE_URL FOLDER`, then `node FOLDER/server.mjs`
 */
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";

const [, , input, baseUrl, output] = argv;
const packages = fileURLToPath(new URL("./node_modules", import.meta.url));
execFileSync(execPath, [
  `${packages}/openapi-mcp-generator/bin/openapi-mcp-generator.js`,
  ...["--input", input, "--output", output, "--base-url", baseUrl, "--force"],
], { stdio: ["ignore", "ignore", "inherit"] });
const source = readFileSync(`${output}/src/index.ts`, "utf8");
writeFileSync(`${output}/server.mjs`, stripTypeScriptTypes(source));
// In place of an installation of what the server imports.
symlinkSync(packages, `${output}/node_modules`);
