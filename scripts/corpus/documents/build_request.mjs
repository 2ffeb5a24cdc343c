/**
 * swagger-client as a program: reads lines of JSON, each the options of its `buildRequest`, and
 * writes for each the request as a line of JSON, or `{"error": …}`.
 */
import { createInterface } from "node:readline";
import { stdin } from "node:process";
import SwaggerClient from "swagger-client";

for await (const line of createInterface({ input: stdin })) {
  console.log(JSON.stringify(build(JSON.parse(line))));
}

function build(options) {
  try {
    const { url, method, headers, body } = SwaggerClient.buildRequest(options);
    return { url, method, headers, body: body instanceof FormData ? partsOf(body) : body };
  } catch (error) {
    return { error: String(error) };
  }
}

function partsOf(form) {
  return [...form].map(([name, value]) => [name, String(value)]);
}
