/**
 * References within one schema.
 *
 * @module
 */

/** The node at a JSON pointer in a URL fragment (RFC 6901, section 6), if there is one. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    if (typeof node !== "object" || node === null) return undefined;
    const name = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
    node = Object.getOwnPropertyDescriptor(node, name)?.value;
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
