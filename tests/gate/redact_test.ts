import { deepStrictEqual, doesNotMatch, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../lib/schema/mod.ts";
import { isSecretName, MASK, redactJson, redactRecord, redactUrl } from "../../lib/gate/mod.ts";

/** Names as lists of words; each is spelled in every usual way. */
const SECRET_NAMES = [
  "authorization",
  "proxy authorization",
  "cookie",
  "set cookie",
  "password",
  "db password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "client secret",
  "aws secret access key",
  "credential",
  "user credentials",
  "token",
  "access token",
  "refresh token",
  "id token",
  "jwt token",
  "csrf token",
  "x auth token",
  "x amz security token",
  "x amz signature",
  "jwt",
  "bearer",
  "api key",
  "x api key",
  "ocp apim subscription key",
  "x functions key",
  "private key",
  "secret key",
  "session id",
  "signature",
  "sig",
  "xsrf",
  "otp",
  "pin code",
];

function spellings(words: string): string[] {
  const list = words.split(" ");
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  const pascal = list.map(capital).join("");
  const [first = "", ...rest] = list;
  return [
    list.join("-"),
    list.join("_"),
    list.join("."),
    words,
    list.map(capital).join("-"),
    words.toUpperCase(),
    list.join("_").toUpperCase(),
    pascal,
    first + rest.map(capital).join(""),
    first.toUpperCase() + rest.map(capital).join(""),
    `my${pascal}`,
    `${list.join("_")}_2`,
  ];
}

for (const words of SECRET_NAMES) {
  Deno.test(`isSecretName knows "${words}" in every spelling`, () => {
    deepStrictEqual(spellings(words).filter((name) => !isSecretName(name)), []);
  });
}

for (const name of ["csrftoken", "accesstoken", "apikey", "sessionid", "JSESSIONID", "PHPSESSID"]) {
  Deno.test(`isSecretName knows ${name}, written without a gap`, () => {
    ok(isSecretName(name));
  });
}

const HARMLESS_NAMES = [
  "pageToken",
  "nextPageToken",
  "next_page_token",
  "continuationToken",
  "syncToken",
  "tokens_used",
  "token_type",
  "tokenUrl",
  "tokenCount",
  "max_tokens",
  "maxOutputTokens",
  "total_tokens",
  "author",
  "authority",
  "secretary",
  "tokenize",
  "signed",
  "key",
  "monkey",
  "keyboard",
  "passenger",
  "compass",
  "cookieless",
  "id",
  "",
];

for (const name of HARMLESS_NAMES) {
  Deno.test(`isSecretName lets "${name}" be`, () => {
    strictEqual(isSecretName(name), false);
  });
}

Deno.test("isSecretName takes a short time for a long name", () => {
  const start = performance.now();
  isSecretName("A".repeat(1_000_000));
  isSecretName("_token_".repeat(100_000));
  ok(performance.now() - start < 1000);
});

const anyName = fc.constantFrom(...SECRET_NAMES.flatMap(spellings));
const canary = fc.stringMatching(/^[A-Za-z0-9]{0,12}$/).map((text) => `CANARY${text}`);

Deno.test("redactJson masks a secret name at any depth, in any spelling", () => {
  const wrapped = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      canary,
      fc.array(tie("value"), { minLength: 1, maxLength: 2 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 2 }),
    ),
  })).value;
  fc.assert(fc.property(anyName, wrapped, (name, value) => {
    const redacted = JSON.stringify(redactJson({ list: [{ [name]: value, kept: "CANDY" }] }));
    doesNotMatch(redacted, /CANARY/);
    ok(redacted.includes("CANDY"));
  }));
});

Deno.test("redactRecord masks a secret name in any spelling", () => {
  fc.assert(fc.property(anyName, canary, (name, secret) => {
    deepStrictEqual(redactRecord({ [name]: secret, accept: secret }), {
      [name]: MASK,
      accept: secret,
    });
  }));
});

Deno.test("redactUrl masks a secret name in query and fragment, in any spelling", () => {
  const mark = fc.constantFrom("?", "?a=1&", "#", "?a#b=1&");
  const encode = fc.constantFrom(
    encodeURIComponent,
    encodeURI,
    (name: string) => [...name].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(""),
  );
  fc.assert(fc.property(anyName, canary, mark, encode, (name, secret, before, write) => {
    const url = `http://h/x${before}${write(name)}=${secret}&last=1`;
    strictEqual(redactUrl(url), url.replace(secret, MASK));
  }));
});

Deno.test("redactUrl masks userinfo, whatever is in it", () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom(..."ab@:%.!$&'()*+,;=-_~") });
  fc.assert(fc.property(text, (user) => {
    strictEqual(redactUrl(`http://${user}:CANARY@h/x`), "http://***@h/x");
    strictEqual(redactUrl(`see http://CANARY${user}@h/x, please`), "see http://***@h/x, please");
  }));
});

const NESTED_URLS: readonly (readonly [url: string, expected: string])[] = [
  ["http://h/?next=http://g/?token=CANARY", "http://h/?next=http%3A%2F%2Fg%2F%3Ftoken%3D***"],
  ["http://h/?next=http%3A%2F%2Fu%3ACANARY%40g", "http://h/?next=http%3A%2F%2F***%40g"],
  [
    "http://h/?a=%3Fb%3D%253Ftoken%253DCANARY&c=1",
    "http://h/?a=%3Fb%3D%253Ftoken%253D***&c=1",
  ],
];

for (const [url, expected] of NESTED_URLS) {
  Deno.test(`redactUrl masks the secret in the URL inside ${url}`, () => {
    strictEqual(redactUrl(url), expected);
  });
}

const KEPT_URLS = [
  "http://h/x?q=1&page_token=abc#top",
  "http://h/token/abc",
  "rest@http://h/x",
  "http://h/@scope/name",
  "http://h/x?mail=a@b&next=http://g/?q=1&enc=http%3a%2f%2Fg",
  "http://h/x?token=",
  "http://[::1]:8080/",
];

for (const url of KEPT_URLS) {
  Deno.test(`redactUrl leaves ${url} as it is`, () => {
    strictEqual(redactUrl(url), url);
  });
}

Deno.test("redactUrl takes a short time for a long text", () => {
  const start = performance.now();
  for (const piece of ["?", "&a", "://", "@", ":", "?token"]) redactUrl(piece.repeat(200_000));
  ok(performance.now() - start < 2000);
});

Deno.test("redactJson keeps what holds no secret, and the shape of what does", () => {
  const given = {
    name: "x",
    count: 3,
    password: "p",
    token: { value: "t", isOld: false, none: null, empty: "", list: [1, ["u"]] },
    nextPageToken: "n",
    items: [{ "Api-Key": 7, id: 1 }],
  };
  deepStrictEqual(redactJson(given), {
    name: "x",
    count: 3,
    password: MASK,
    token: { value: MASK, isOld: false, none: null, empty: "", list: [MASK, [MASK]] },
    nextPageToken: "n",
    items: [{ "Api-Key": MASK, id: 1 }],
  });
  strictEqual(given.password, "p");
  deepStrictEqual([redactJson("text"), redactJson(null), redactJson(5)], ["text", null, 5]);
});

Deno.test("redactJson keeps numbers exact", () => {
  const redacted = redactJson(
    parseJson('{"id":12345678901234567890,"pin_code":1234567890123456789}'),
  );
  strictEqual(JSON.stringify(redacted), '{"id":12345678901234567890,"pin_code":"***"}');
});
