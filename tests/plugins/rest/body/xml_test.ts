import assert from "node:assert/strict";
import { api, openRest, send } from "../fixture.ts";

const DECLARATION = '<?xml version="1.0"?>';

/** The XML that arrives for a body with this schema. */
async function xmlFor(
  schema: unknown,
  body: unknown,
  { schemas = {}, validate = true }: { schemas?: object; validate?: boolean } = {},
): Promise<string> {
  const requestBody = { content: { "application/xml": { schema } } };
  await using site = api({ "/a": { post: { operationId: "send", requestBody } } }, {
    components: { schemas },
  });
  const sent = await send(site, {
    method: "send",
    messages: [`{"body": ${typeof body === "string" ? body : JSON.stringify(body)}}`],
    validate,
  });
  assert.equal(sent.headers.get("content-type"), "application/xml");
  return sent.body;
}

const string = { type: "string" };
const DOGS = ["dog", "cat", "hamster"];
/** A document with one property, as in most examples of the specification. */
const animals = (schema: object) => ({
  type: "object",
  xml: { name: "document" },
  properties: { animals: schema },
});
const list = (name: string, values = DOGS) =>
  values.map((value) => `<${name}>${value}</${name}>`).join("");

// The examples of OpenAPI 3.1.1 and 3.2.0, "XML Object Examples", in their order.
const EXAMPLES: readonly (readonly [name: string, schema: unknown, body: unknown, xml: string])[] =
  [
    [
      "a basic string property",
      animals(string),
      { animals: "dog, cat, hamster" },
      "<document><animals>dog, cat, hamster</animals></document>",
    ],
    [
      "a basic string array property",
      animals({ type: "array", items: string }),
      { animals: DOGS },
      `<document>${list("animals")}</document>`,
    ],
    [
      "a replaced name",
      animals({ ...string, xml: { name: "animal" } }),
      { animals: "dog" },
      "<document><animal>dog</animal></document>",
    ],
    [
      "replaced names of items",
      animals({ type: "array", items: { ...string, xml: { name: "animal" } } }),
      { animals: DOGS },
      `<document>${list("animal")}</document>`,
    ],
    [
      "an external name without effect",
      animals({
        type: "array",
        items: { ...string, xml: { name: "animal" } },
        xml: { name: "aliens" },
      }),
      { animals: DOGS },
      `<document>${list("animal")}</document>`,
    ],
    ...[{ wrapped: true }, { nodeType: "element" }].flatMap((wrapping): [
      string,
      unknown,
      unknown,
      string,
    ][] => [
      [
        `a list wrapped by ${Object.keys(wrapping)} without names`,
        animals({ type: "array", items: string, xml: wrapping }),
        { animals: DOGS },
        `<document><animals>${list("animals")}</animals></document>`,
      ],
      [
        `a list wrapped by ${Object.keys(wrapping)} with a name for its items`,
        animals({ type: "array", items: { ...string, xml: { name: "animal" } }, xml: wrapping }),
        { animals: DOGS },
        `<document><animals>${list("animal")}</animals></document>`,
      ],
      [
        `a list wrapped by ${Object.keys(wrapping)} with both names`,
        animals({
          type: "array",
          items: { ...string, xml: { name: "animal" } },
          xml: { name: "aliens", ...wrapping },
        }),
        { animals: DOGS },
        `<document><aliens>${list("animal")}</aliens></document>`,
      ],
      [
        `a list wrapped by ${Object.keys(wrapping)} with a name of its own`,
        animals({ type: "array", items: string, xml: { name: "aliens", ...wrapping } }),
        { animals: DOGS },
        `<document><aliens>${list("aliens")}</aliens></document>`,
      ],
    ]),
    [
      "elements with attributes and text",
      {
        type: "array",
        xml: { nodeType: "element", name: "animals" },
        items: {
          xml: { name: "animal" },
          properties: {
            kind: { ...string, xml: { nodeType: "attribute" } },
            name: { ...string, xml: { nodeType: "text" } },
          },
        },
      },
      [{ kind: "Cat", name: "Fluffy" }, { kind: "Dog", name: "Fido" }],
      '<animals><animal kind="Cat">Fluffy</animal><animal kind="Dog">Fido</animal></animals>',
    ],
    [
      "ordered elements and null",
      {
        xml: { nodeType: "element", name: "OneTwoThree" },
        type: "array",
        prefixItems: [
          { ...string, xml: { name: "One" } },
          {
            xml: { name: "Two" },
            type: "object",
            properties: {
              unit: { ...string, xml: { nodeType: "attribute" } },
              value: { type: "number", xml: { nodeType: "text" } },
            },
          },
          { xml: { name: "Three" }, type: ["boolean", "null"] },
        ],
      },
      ["Some text", { unit: "cubits", value: 42 }, null],
      '<OneTwoThree><One>Some text</One><Two unit="cubits">42</Two>' +
      '<Three xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></OneTwoThree>',
    ],
    [
      "ordered elements and text",
      {
        xml: { nodeType: "element", name: "Report" },
        type: "array",
        prefixItems: [
          { xml: { nodeType: "text" }, type: "string" },
          { xml: { name: "data" }, type: "number" },
          { xml: { nodeType: "text" }, type: "string" },
        ],
      },
      ["Some preamble text.", 42, "Some postamble text."],
      "<Report>Some preamble text.<data>42</data>Some postamble text.</Report>",
    ],
  ];
for (const [name, schema, body, xml] of EXAMPLES) {
  Deno.test(`XML of OpenAPI's example: ${name}`, async () => {
    assert.equal(await xmlFor(schema, body), DECLARATION + xml);
  });
}

for (const attribute of [{ attribute: true }, { nodeType: "attribute" }]) {
  Deno.test(`XML of OpenAPI's example: ${Object.keys(attribute)}, prefix and namespace`, async () => {
    const sample = { namespace: "https://example.com/schema/sample", prefix: "sample" };
    const Person = {
      type: "object",
      properties: {
        id: { type: "integer", format: "int32", xml: attribute },
        name: { type: "string", xml: sample },
      },
    };
    const schemas = { Person };
    assert.equal(
      await xmlFor({ $ref: "#/components/schemas/Person" }, { id: 123, name: "example" }, {
        schemas,
      }),
      `${DECLARATION}<Person id="123">` +
        '<sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>',
    );
  });
}

Deno.test("XML of OpenAPI's example: an element with CDATA, named by its component or its use", async () => {
  const content = "<html><head><title>Awesome Docs</title></head><body></body><html>";
  const properties = { content: { type: "string", xml: { nodeType: "cdata" } } };
  const $ref = "#/components/schemas/Documentation";
  const cases: [schema: object, component: object, name: string][] = [
    [{ $ref }, {}, "Documentation"],
    [
      { $ref, xml: { nodeType: "element", name: "StoredDocument" } },
      { xml: { nodeType: "none" } },
      "StoredDocument",
    ],
  ];
  for (const [schema, component, name] of cases) {
    const schemas = { Documentation: { type: "object", properties, ...component } };
    const xml = await xmlFor(schema, { content }, { schemas });
    assert.equal(xml, `${DECLARATION}<${name}><![CDATA[${content}]]></${name}>`);
  }
});

Deno.test("XML of OpenAPI's example: null and empty objects", async () => {
  const schema = {
    xml: { name: "product" },
    type: "object",
    properties: {
      count: { type: ["number", "null"], xml: { nodeType: "attribute" } },
      rating: { type: "string", xml: { nodeType: "attribute" } },
      description: { type: "string" },
      related: { type: ["object", "null"] },
    },
  };
  const some = { count: 42, description: "Thing", related: {} };
  const none = { count: null, description: "Thing", related: null };
  assert.equal(
    await xmlFor(schema, none),
    `${DECLARATION}<product><description>Thing</description>` +
      '<related xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></product>',
  );
  assert.equal(
    await xmlFor(schema, some),
    `${DECLARATION}<product count="42"><description>Thing</description><related></related></product>`,
  );
});

Deno.test("null that a schema does not know is left out of XML", async () => {
  const schema = animals(string);
  assert.equal(
    await xmlFor(schema, { animals: null }, { validate: false }),
    `${DECLARATION}<document></document>`,
  );
});

Deno.test("XML numbers are exact and follow the schema's order", async () => {
  const schema = {
    xml: { name: "n" },
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "number" }, c: { type: "boolean" } },
    additionalProperties: true,
  };
  assert.equal(
    await xmlFor(schema, '{"x":"y","c":true,"b":0.10,"a":12345678901234567890}'),
    `${DECLARATION}<n><a>12345678901234567890</a><b>0.1</b><c>true</c><x>y</x></n>`,
  );
});

Deno.test("XML text and attributes are escaped so that they are read back as written", async () => {
  const schema = {
    xml: { name: "e" },
    type: "object",
    properties: { at: { type: "string", xml: { attribute: true } }, text: { type: "string" } },
  };
  const value = "a<b>&\"c'\t\r\n😀]]>";
  assert.equal(
    await xmlFor(schema, { at: value, text: value }),
    `${DECLARATION}<e at="a&lt;b&gt;&amp;&quot;c'&#9;&#13;&#10;😀]]&gt;">` +
      "<text>a&lt;b&gt;&amp;\"c'\t&#13;\n😀]]&gt;</text></e>",
  );
  const cdata = { xml: { name: "e" }, properties: { d: { xml: { nodeType: "cdata" } } } };
  assert.equal(
    await xmlFor(cdata, { d: "a]]>b" }),
    `${DECLARATION}<e><![CDATA[a]]]]><![CDATA[>b]]></e>`,
  );
});

Deno.test("a namespace is declared once on the way to where it is used", async () => {
  const soap = { namespace: "http://s", prefix: "s" };
  const schema = {
    type: "object",
    xml: { name: "Envelope", ...soap },
    properties: {
      id: { type: "string", xml: { attribute: true, ...soap } },
      Body: { type: "object", xml: soap, properties: { q: { xml: { namespace: "urn:q" } } } },
    },
  };
  assert.equal(
    await xmlFor(schema, { Body: { q: "x" }, id: "1" }),
    `${DECLARATION}<s:Envelope xmlns:s="http://s" s:id="1"><s:Body><q xmlns="urn:q">x</q></s:Body></s:Envelope>`,
  );
});

Deno.test("a property that refers to a component is named by the property, or by the component's XML name", async () => {
  const schemas = {
    Tag: { type: "object", properties: { name: string } },
    Category: { type: "object", xml: { name: "cat" }, properties: { id: { type: "integer" } } },
    Pet: {
      allOf: [{ $ref: "#/components/schemas/Category" }],
      type: "object",
      properties: {
        category: { $ref: "#/components/schemas/Category" },
        tags: {
          type: "array",
          xml: { wrapped: true },
          items: { $ref: "#/components/schemas/Tag" },
        },
      },
    },
  };
  const xml = await xmlFor({ $ref: "#/components/schemas/Pet" }, {
    category: { id: 1 },
    tags: [{ name: "a" }],
  }, { schemas });
  assert.equal(
    xml,
    `${DECLARATION}<Pet><cat><id>1</id></cat><tags><tags><name>a</name></tags></tags></Pet>`,
  );
});

Deno.test("a list of components at the root is wrapped by its own name", async () => {
  const schemas = {
    Pet: { type: "object", properties: { name: string } },
    Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
  };
  assert.equal(
    await xmlFor({ $ref: "#/components/schemas/Pets" }, [{ name: "a" }, { name: "b" }], {
      schemas,
    }),
    `${DECLARATION}<Pets><Pet><name>a</name></Pet><Pet><name>b</name></Pet></Pets>`,
  );
});

const REFUSED: readonly (readonly [name: string, schema: object, body: unknown, says: RegExp])[] = [
  ["no root name", { type: "object" }, { a: 1, b: 2 }, /no name for its root/],
  [
    "a member that is no XML name",
    { type: "object", xml: { name: "e" } },
    { "1 st": 1 },
    /"1 st" is no name/,
  ],
  [
    "an XML name of the document that is none",
    { type: "object", xml: { name: "a b" } },
    {},
    /"a b" is no name/,
  ],
  [
    "a control character",
    animals(string),
    { animals: "a\u0001" },
    /"animals" has the character U\+0001/,
  ],
  [
    "half a surrogate pair",
    animals(string),
    { animals: "\ud800" },
    /"animals" has the character U\+D800/,
  ],
];
for (const [name, schema, body, message] of REFUSED) {
  Deno.test(`XML with ${name} is refused, and text is the way out`, async () => {
    await assert.rejects(xmlFor(schema, body), {
      code: "invalid_argument",
      message,
      hint: /XML text/,
    });
  });
}

Deno.test("XML of an object without a name is its one member", async () => {
  const Policy = { type: "object", properties: { Name: string } };
  const schema = { type: "object", properties: { Policy } };
  assert.equal(
    await xmlFor(schema, { Policy: { Name: "n" } }),
    DECLARATION + "<Policy><Name>n</Name></Policy>",
  );
});

Deno.test("XML names may stand in a part of an allOf", async () => {
  const items = { allOf: [string, { xml: { name: "Item" } }] };
  const schema = {
    type: "object",
    xml: { name: "e" },
    properties: { Items: { type: "array", items } },
  };
  assert.equal(await xmlFor(schema, { Items: ["a"] }), DECLARATION + "<e><Item>a</Item></e>");
});

Deno.test("XML text is sent as it is, for a body of properties too", async () => {
  const schema = animals(string);
  assert.equal(await xmlFor(schema, '"<document/>"'), "<document/>");
});

Deno.test("XML text in another charset than UTF-8 is sent in the one that it declares", async () => {
  const requestBody = { content: { "application/xml": { schema: animals(string) } } };
  await using site = api({ "/a": { post: { operationId: "send", requestBody } } });
  const body = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xfc</a>';
  const { bytes } = await send(site, { method: "send", message: { body } });
  assert.deepEqual([...bytes.slice(-5)], [0xfc, 0x3c, 0x2f, 0x61, 0x3e]);
  const utf16 = body.replace("ISO-8859-1", "UTF-16");
  await assert.rejects(openRest(site).invoke({ method: "send", message: { body: utf16 } }), {
    code: "invalid_argument",
    message: /"UTF-16"/,
  });
});
