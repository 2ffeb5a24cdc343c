/**
 * A small shop with an OpenAPI document.
 *
 * @module
 */
import { json, openapi, type Route, serve, type Site } from "../plugins/rest/fixture.ts";

const PET = {
  type: "object",
  properties: { id: { type: "integer", format: "int64" }, name: { type: "string" } },
};
const ok = (schema: unknown) => ({
  200: { description: "ok", content: { "application/json": { schema } } },
});

/** The paths of the document. */
export const PATHS = {
  "/pets": {
    get: {
      operationId: "listPets",
      tags: ["pets", "public"],
      summary: "List all pets",
      parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
      responses: ok({ type: "array", items: PET }),
    },
    post: {
      operationId: "createPet",
      tags: ["pets"],
      description: "Registers a puppy or some other animal.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: { ...PET, required: ["name"] } } },
      },
      responses: ok(PET),
    },
  },
  "/pets/{petId}": {
    parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
    get: { operationId: "getPet", tags: ["pets"], responses: ok(PET) },
    delete: {
      operationId: "deletePet",
      tags: ["pets"],
      deprecated: true,
      responses: { 204: { description: "gone" } },
    },
  },
  "/photo": {
    get: { operationId: "getPhoto", tags: ["media"], responses: { 200: { description: "png" } } },
  },
};

/** A webhook besides. */
export const WEBHOOKS = {
  webhooks: { sold: { post: { responses: { 200: { description: "ok" } } } } },
};

const PHOTO = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

/** Starts the shop. @param routes what answers at other paths, or in place of the shop. */
export function openShop(routes: Readonly<Record<string, Route>> = {}): Site {
  return serve({
    "/openapi.json": json(openapi(PATHS, WEBHOOKS)),
    "/pets": (request) =>
      request.method === "POST"
        ? Response.json({ id: 1, name: "Rex" })
        : new Response('[{"id":9007199254740993,"name":"Tom"}]', {
          headers: { "content-type": "application/json", "x-total-count": "1" },
        }),
    "/pets/7": () =>
      new Response('{"id":9007199254740993,"name":7}', {
        headers: { "content-type": "application/json" },
      }),
    "/pets/gone": () => Response.json({ reason: "no such pet" }, { status: 404 }),
    "/pets/busy": () => new Response(null, { status: 503, headers: { "retry-after": "9" } }),
    "/photo": () => new Response(PHOTO, { headers: { "content-type": "image/png" } }),
    ...routes,
  });
}
