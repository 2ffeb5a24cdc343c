/** What protoc refuses and people have all the same. */
import assert from "node:assert/strict";
import { compileTexts } from "./fixture.ts";

Deno.test("compileProtos reads an import that begins at the importing file", async () => {
  const { files, warnings } = await compileTexts({
    "shop/api/a.proto": `syntax = "proto3"; import "./b.proto"; import "../c.proto";`,
    "shop/api/b.proto": `syntax = "proto3";`,
    "shop/c.proto": `syntax = "proto3";`,
  });
  assert.deepEqual(files.at(-1)?.dependency, ["shop/api/b.proto", "shop/c.proto"]);
  assert.deepEqual(warnings, [
    '"shop/api/a.proto" imports "./b.proto": it is read as "shop/api/b.proto"',
    '"shop/api/a.proto" imports "../c.proto": it is read as "shop/c.proto"',
  ]);
});

Deno.test("compileProtos leaves out options that nobody declares, and says so once", async () => {
  const { files, warnings } = await compileTexts({
    "a.proto": `syntax = "proto3"; option (nothing) = 1;
      message M { string a = 1 [(nothing) = 1, deprecated = true]; }`,
  });
  assert.equal(files[0]?.messageType[0]?.field[0]?.options?.deprecated, true);
  assert.deepEqual(warnings, [
    '"a.proto" uses the option "(nothing)", which none of the files declares: it is left out',
  ]);
});

Deno.test("compileProtos has google.api.http on board", async () => {
  const { files, warnings } = await compileTexts({
    "a.proto": `syntax = "proto3"; import "google/api/annotations.proto";
      message M {}
      service S { rpc Get(M) returns (M) { option (google.api.http).get = "/m"; } }`,
  });
  assert.deepEqual(warnings, []);
  const options = files.at(-1)?.service[0]?.method[0]?.options;
  assert.equal(options?.$unknown?.[0]?.no, 72295728);
});
