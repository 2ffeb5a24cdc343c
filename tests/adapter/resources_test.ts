import { deepEqual, equal, match, ok } from "node:assert/strict";
import { rejectionOf } from "../fakes/rooms.ts";
import { type Bench, callFor, openAdapter } from "./fixture.ts";
import { openShop } from "./shop.ts";

const SIGNAL = new AbortController().signal;

async function textAt({ adapter }: Bench, uri: string): Promise<string | undefined> {
  const [contents] = await adapter.resources.read(uri, SIGNAL) ?? [];
  return contents !== undefined && "text" in contents ? contents.text : undefined;
}

async function promptOf(bench: Bench, name: string, args: Record<string, string>): Promise<string> {
  const prompt = await bench.adapter.prompts.get(name, args, SIGNAL);
  const content = prompt?.messages[0]?.content;
  return content?.type === "text" ? content.text : "";
}

Deno.test("each service is a resource, in the shape of the .NET Bowire", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], exclude: { tag: ["media"] } });
  deepEqual(
    bench.adapter.resources.list().map(({ uri, name, description }) => [uri, name, description]),
    [
      ["bowire-service://rest/Webhooks", "Webhooks", "REST service schema, 1 method"],
      ["bowire-service://rest/pets", "pets", "REST service schema, 4 methods"],
    ],
  );
  const pets = JSON.parse(await textAt(bench, "bowire-service://rest/pets") ?? "");
  deepEqual([pets.plugin, pets.service, pets.description], ["rest", "pets", null]);
  deepEqual(pets.methods[0], {
    name: "listPets",
    methodType: "Unary",
    inputType: "listPetsRequest",
    inputFields: [{
      Name: "limit",
      Type: "int32",
      Number: 1,
      Label: "optional",
      IsRepeated: false,
      IsMap: false,
    }],
    outputType: "listPetsResponse",
    outputFields: pets.methods[0].outputFields,
  });
  equal(await textAt(bench, "bowire-service://rest/media"), undefined);
  equal(await textAt(bench, "file:///etc/passwd"), undefined);
});

Deno.test("services of one name at two URLs are two resources", async () => {
  await using shop = openShop();
  await using other = openShop();
  await using bench = await openAdapter({
    urls: [shop.url, other.url],
    include: { tag: ["public"] },
  });
  const uris = bench.adapter.resources.list().map(({ uri }) => uri);
  equal(new Set(uris).size, 2);
  for (const uri of uris) match(uri, /^bowire-service:\/\/rest\/pets\?url=http%3A%2F%2F/);
  ok(await textAt(bench, uris[1] ?? "") !== undefined);
});

Deno.test("an answer that is too large can be read whole", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], maxAnswerChars: 10 });
  const { content } = await callFor(bench, "pets_listPets");
  const link = content.find(({ type }) => type === "resource_link");
  ok(link?.type === "resource_link");
  equal(await textAt(bench, link.uri), '[{"id":9007199254740993,"name":"Tom"}]');
  ok(!bench.adapter.resources.list().some(({ uri }) => uri === link.uri));
});

Deno.test("prompts tell of a service, and of arguments for a method", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  deepEqual(bench.adapter.prompts.list().map(({ name }) => name), [
    "describe-service",
    "generate-sample-request",
  ]);
  match(await promptOf(bench, "describe-service", { service: "pets" }), /"pets":[^]*"createPet"/);
  const sample = await promptOf(bench, "generate-sample-request", {
    service: "pets",
    method: "createPet",
  });
  match(
    sample,
    /by the tool pets_createPet\.[^]*"required":\["name"\][^]*fit its schema:\n\n\{"name":/,
  );
  equal(await bench.adapter.prompts.get("nobody", {}, SIGNAL), undefined);
});

Deno.test("prompts refuse arguments that mean nothing, and name those that would", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  const refusal = (name: string, args: Record<string, string>) =>
    rejectionOf(promptOf(bench, name, args));
  equal((await refusal("describe-service", {})).code, "invalid_argument");
  const service = await refusal("describe-service", { service: "pet" });
  deepEqual([service.code, service.hint], ["unknown_service", "near are: pets"]);
  const method = await refusal("generate-sample-request", { service: "pets", method: "zzzzzzzzz" });
  deepEqual(method.code, "unknown_method");
  match(method.hint ?? "", /^known are: listPets, createPet/);
});
