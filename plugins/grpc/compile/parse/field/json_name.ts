/**
 * The names of fields in JSON.
 *
 * @module
 */

/** `user_id` becomes `userId` (protoc, descriptor.cc, ToJsonName). */
export function jsonNameOf(name: string): string {
  return name.includes("_")
    ? name.replace(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase())
    : name;
}
