/**
 * A judged call as the options of swagger-client's `buildRequest`: a document with that one
 * operation, written out, and the arguments by place and name.
 *
 * @module
 */
import { variablesOf } from "../judge/address.ts";
import { type Case, parametersOf, valueOf } from "../judge/case.ts";
import type { Judgement } from "../judge/judge.ts";
import { follow, listAt, objectAt, type RawObject } from "../judge/raw.ts";
import { rounded } from "../judge/values.ts";

/** A document and where it is said to come from. */
export interface Origin {
  readonly root: RawObject;
  readonly url: string;
}

/** Which of several operations it is; there is one. */
const ID = "it";

/** The options for one call. */
export function optionsFor({ call, content }: Judgement, { root, url }: Origin): unknown {
  const { operation, pathItem, path, verb } = call.operation;
  const [servers = []] = [operation, pathItem, root].map((holder) => listAt(holder, "servers"))
    .filter(({ length }) => length > 0);
  const definitions = definitionsOf(call, root);
  const arguments_ = definitions.flatMap(({ in: place, name }) => {
    const value = valueOf(call, String(name));
    return value === undefined ? [] : [[`${place}.${name}`, rounded(value)]];
  });
  const requestBody = content === undefined ? {} : {
    requestBody: { content: { [content.media.type]: { encoding: content.media.encoding } } },
  };
  return {
    spec: {
      openapi: "3.0.3",
      ...(servers.length === 0 ? {} : { servers }),
      paths: {
        // A fragment only tells operations apart; behind it the client would put the query.
        [path.replace(/#.*$/s, "")]: {
          [verb.toLowerCase()]: { operationId: ID, parameters: definitions, ...requestBody },
        },
      },
    },
    operationId: ID,
    contextUrl: url,
    parameters: Object.fromEntries(arguments_),
    ...(content === undefined
      ? {}
      : { requestBody: rounded(content.value), requestContentType: content.media.type }),
  };
}

function definitionsOf(call: Case, root: RawObject): RawObject[] {
  const declared = parametersOf(call).map(({ definition }) => ({
    ...definition,
    // A default is for the server to know (OpenAPI 3.0.3, Schema Object).
    schema: { ...objectAt(follow(root, definition["schema"])), default: undefined },
  }));
  const names = call.inputs.parameters.filter(({ place }) => place === "path")
    .map(({ name }) => name);
  const undeclared = [...new Set(variablesOf(call.operation.path))]
    .filter((name) => !names.includes(name) && valueOf(call, name) !== undefined)
    .map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return [...declared, ...undeclared];
}
