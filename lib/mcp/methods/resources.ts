/**
 * The methods of MCP that list and read resources.
 *
 * @module
 */
import { ResourceNotFoundError, type Server, specTypeSchemas } from "@modelcontextprotocol/server";
import type { Resources } from "../content.ts";
import { type FailureOptions, orProtocolError } from "./failures.ts";
import { pageOf } from "./pages.ts";

const LIST = {
  params: specTypeSchemas.PaginatedRequestParams,
  result: specTypeSchemas.ListResourcesResult,
};
const TEMPLATES = {
  params: specTypeSchemas.PaginatedRequestParams,
  result: specTypeSchemas.ListResourceTemplatesResult,
};
const READ = {
  params: specTypeSchemas.ReadResourceRequestParams,
  result: specTypeSchemas.ReadResourceResult,
};

/** Serves the resources of a catalogue on one connection. It has no templates. */
export function serveResources(
  server: Server,
  resources: Resources,
  { onError }: FailureOptions,
): void {
  server.setRequestHandler("resources/list", LIST, async ({ cursor }) => {
    const { items, next } = await orProtocolError(
      () => pageOf(resources.list(), { list: "resources", cursor, keyOf: ({ uri }) => uri }),
      onError,
    );
    return { resources: items, ...next };
  });

  server.setRequestHandler("resources/templates/list", TEMPLATES, ({ cursor }) => {
    const { items } = pageOf<never>([], { list: "templates", cursor, keyOf: String });
    return { resourceTemplates: items };
  });

  server.setRequestHandler("resources/read", READ, async ({ uri }, { mcpReq }) => {
    const contents = await orProtocolError(() => resources.read(uri, mcpReq.signal), onError);
    if (contents === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [...contents] };
  });
}
