/**
 * `bowire.discover`.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../../errors/mod.ts";
import { redactUrl } from "../../gate/mod.ts";
import type { Attempt } from "../../model/mod.ts";
import { DEFAULT_MAX_CHARS, viewDiscovery } from "../discovery_view.ts";
import { addSchemas } from "../method_schemas.ts";
import { defineTool } from "../tool.ts";

const field = z.looseObject({ name: z.string(), type: z.string() });
const jsonSchema = z.record(z.string(), z.unknown());
const message = z.looseObject({ name: z.string(), fields: z.array(field) });

/** What to do when nothing was found: what the only protocol says, or where else to look. */
function hintOn(attempts: readonly Attempt[], protocols: readonly string[]): string {
  const [only, ...others] = attempts;
  const [said] = only?.details ?? [];
  if (others.length === 0 && only?.outcome === "error" && said !== undefined) return said;
  return "give the URL of the description document itself, name the protocol in front " +
    `(${protocols.map((id) => `${id}@`).join(", ")}), add schema files with bowire.schema.add, ` +
    "or call without one: an HTTP verb as method, no service";
}

/** Lists services and methods at a URL. */
export const discoverTool = defineTool({
  name: "bowire.discover",
  title: "Discover an API",
  description:
    "List the services and methods that an API offers, with the fields that each method takes and returns. " +
    "Give the URL of the API, or of the document that describes it. " +
    "Large answers leave out fields and say so: name a service or method to see them.",
  access: "read",
  opensWorld: true,
  input: z.strictObject({
    url: z.string().min(1).describe(
      "Target URL; the id of a protocol may stand in front, as in id@https://api.example.com",
    ),
    protocol: z.string().optional().describe("Id of the only protocol to try"),
    service: z.string().optional().describe("Show only this service"),
    method: z.string().optional().describe(
      "Show only methods of this name, with JSON Schema and sample arguments",
    ),
    definition: z.boolean().optional().describe(
      "Also the method, or each of the service, in its protocol's own schema language",
    ),
    metadata: z.record(z.string(), z.string()).optional().describe(
      "Headers to send with the requests of discovery",
    ),
    maxChars: z.number().int().min(1).optional()
      .describe(
        `Leave out details to stay below so many characters (default ${DEFAULT_MAX_CHARS})`,
      ),
    showInternal: z.boolean().optional().describe("Also list services meant for machinery"),
  }),
  output: z.object({
    url: z.string(),
    services: z.array(z.object({
      protocol: z.string(),
      service: z.string(),
      package: z.string().optional(),
      version: z.string().optional(),
      description: z.string().optional(),
      methodCount: z.number().int(),
      methods: z.array(z.object({
        name: z.string(),
        type: z.string(),
        httpMethod: z.string().optional(),
        httpPath: z.string().optional(),
        title: z.string().optional(),
        tags: z.array(z.string()).optional(),
        hints: z.object({
          readOnly: z.boolean().optional(),
          destructive: z.boolean().optional(),
          idempotent: z.boolean().optional(),
          openWorld: z.boolean().optional(),
        }).optional().describe("What a call does, by its author's word"),
        summary: z.string().optional(),
        description: z.string().optional(),
        deprecated: z.boolean().optional(),
        security: z.array(z.string()).optional().describe("Credentials, any of which is enough"),
        incoming: z.boolean().optional().describe("true for a webhook: described, not callable"),
        input: message.optional(),
        output: message.optional(),
        inputSchema: jsonSchema.optional().describe("JSON Schema of the arguments"),
        outputSchema: jsonSchema.optional().describe("JSON Schema of the answer"),
        sample: z.unknown().optional().describe("Arguments that fit"),
        definition: z.object({ language: z.string(), text: z.string() }).optional(),
      })),
    })),
    attempts: z.array(z.object({
      pluginId: z.string(),
      plugin: z.string(),
      outcome: z.enum(["ok", "empty", "partial", "error", "timeout"]),
      servicesFound: z.number().int(),
      durationMs: z.number(),
      message: z.string(),
      details: z.array(z.string()).nullable(),
    })),
    truncated: z.boolean(),
    note: z.string().optional(),
  }),
  async run(host, { url, service, method, maxChars, definition, ...options }, { signal }) {
    const discovery = await host.caller.discover(url, { ...options, signal });
    const { attempts } = discovery;
    if (discovery.services.length === 0) {
      const tried = attempts.map((attempt) => `${attempt.plugin}: ${attempt.message}`).join("; ");
      throw new BowireError(
        "not_discovered",
        `found no API at "${redactUrl(discovery.url)}" (${tried})`,
        {
          hint: hintOn(attempts, host.registry.manifests.map(({ id }) => id)),
          details: { attempts },
          retryable: attempts.some(({ outcome }) => outcome === "timeout"),
        },
      );
    }
    const view = viewDiscovery(discovery, { service, method, maxChars });
    const isNarrow = method !== undefined || (service !== undefined && definition === true);
    if (!isNarrow) return view;
    const { metadata } = options;
    return await addSchemas(host, view, { metadata, maxChars, definition, signal });
  },
});
