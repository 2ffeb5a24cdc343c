import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { type MethodIdentity, nameMethods } from "../../lib/adapter/tools/names.ts";

const URL_A = "http://a.example";

function method(service: string, name: string, more: Partial<MethodIdentity> = {}): MethodIdentity {
  const fullName = `${service}/${name}`;
  return { protocol: "p", service, method: name, fullName, url: URL_A, ...more };
}

Deno.test("nameMethods writes service and method with underscores, as is documented", () => {
  const methods = [
    method("calculator.CalculatorService", "Add"),
    method("pets", "GET /pets/{id}"),
    method("Größe", "ändern-now"),
    method("", "ping"),
  ];
  deepEqual(nameMethods(methods, { limit: 50 }), [
    "calculator_CalculatorService_Add",
    "pets_GET_pets_id",
    "Gr_e__ndern-now",
    "ping",
  ]);
});

Deno.test("C03 a name beyond the limit keeps a readable head and ends in a hash", () => {
  const long = method("shop", "a".repeat(90));
  const [name = ""] = nameMethods([long], { limit: 50 });
  match(name, /^shop_a{36}_[0-9a-f]{8}$/);
  equal(name.length, 50);
  deepEqual(nameMethods([method("other", "x"), long], { limit: 50 })[1], name);
});

Deno.test("C04 twelve names that share their first 64 characters are all different", () => {
  const head = "x".repeat(64);
  const methods = Array.from({ length: 12 }, (_, index) => method("s", `${head}${index}`));
  const names = nameMethods(methods, { limit: 50 });
  equal(new Set(names).size, 12);
  deepEqual(nameMethods(methods.toReversed(), { limit: 50 }).toReversed(), names);
});

Deno.test("C04 a name that begins like another is left alone", () => {
  const methods = [method("ec2", "CreateVpc"), method("ec2", "CreateVpcEndpoint")];
  deepEqual(nameMethods(methods, { limit: 50 }), ["ec2_CreateVpc", "ec2_CreateVpcEndpoint"]);
});

Deno.test("nameMethods gives both of two that clash a tail, whichever comes first", () => {
  const [one, other] = [method("a.b", "C"), method("a", "b_C")];
  const [first = "", second = ""] = nameMethods([one, other], { limit: 50 });
  match(first, /^a_b_C_[0-9a-f]{8}$/);
  match(second, /^a_b_C_[0-9a-f]{8}$/);
  notEqual(first, second);
  deepEqual(nameMethods([other, one], { limit: 50 }), [second, first]);
});

Deno.test("nameMethods tells methods apart whose full names are cut off alike", () => {
  const fullName = "GET /a…";
  const long = ["a".repeat(60), "b".repeat(60)].map((name) => method("s", name, { fullName }));
  const names = nameMethods(long, { limit: 50 });
  equal(new Set(names).size, 2);
  deepEqual(nameMethods(long.toReversed(), { limit: 50 }).toReversed(), names);
});

Deno.test("nameMethods tells the same method at two URLs apart, and forgets the URL of a lone one", () => {
  const elsewhere = { url: "http://b.example" };
  const two = nameMethods([method("s", "m"), method("s", "m", elsewhere)], { limit: 50 });
  equal(new Set(two).size, 2);
  const long = "m".repeat(80);
  deepEqual(
    nameMethods([method("s", long)], { limit: 50 }),
    nameMethods([method("s", long, elsewhere)], { limit: 50 }),
  );
});

Deno.test("nameMethods leaves reserved names to others", () => {
  const [name = ""] = nameMethods([method("find", "methods")], {
    limit: 50,
    reserved: ["find_methods"],
  });
  match(name, /^find_methods_[0-9a-f]{8}$/);
});

Deno.test("nameMethods gives unique, portable names within the limit in any order", () => {
  const words = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom("a", "a.b", "a_b", "b", "ü", "", "a".repeat(60), "a".repeat(61), "a-b"),
  );
  const identities = fc.uniqueArray(
    fc.record({
      protocol: fc.constantFrom("p", "q"),
      service: words,
      method: words,
      url: fc.constantFrom(URL_A, "http://b.example"),
    }).map((identity) => ({ ...identity, fullName: `${identity.service}/${identity.method}` })),
    { selector: (identity) => JSON.stringify(identity), maxLength: 30 },
  );
  const limits = fc.integer({ min: 24, max: 64 });
  fc.assert(fc.property(identities, limits, fc.nat(), (methods, limit, turn) => {
    const names = nameMethods(methods, { limit });
    equal(new Set(names).size, methods.length);
    for (const name of names) {
      match(name, /^[a-zA-Z0-9_-]+$/);
      ok(name.length <= limit);
    }
    const by = turn % Math.max(1, methods.length);
    const turned = [...methods.slice(by), ...methods.slice(0, by)];
    const again = nameMethods(turned, { limit });
    deepEqual([...again.slice(methods.length - by), ...again.slice(0, methods.length - by)], names);
  }));
});
