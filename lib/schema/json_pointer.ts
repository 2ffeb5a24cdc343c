/**
 * JSON pointers in URL fragments (RFC 6901, section 6).
 *
 * @module
 */

/** The names and indexes in a pointer; none for the whole. */
export function pointerTokens(pointer: string): string[] {
  return pointer.split("/").slice(1)
    .map((token) => decode(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The node that a reference within `root` leads to, if there is one. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const token of pointerTokens(reference.slice(1))) {
    if (typeof node !== "object" || node === null) return undefined;
    node = Object.getOwnPropertyDescriptor(node, token)?.value;
  }
  return node;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
