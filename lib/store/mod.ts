/**
 * What Bowire remembers on disk. The only room that touches the home folder.
 *
 * @module
 */
export { EnvironmentStore } from "./environments.ts";
export { AllowedFiles, type NamedFile } from "./files.ts";
export { programEnvironment, programVariables, readVariable, resolveHome } from "./home.ts";
export { JsonFile, type JsonRead } from "./json_file.ts";
export type { NewSchema, SchemaChoice, SchemaEntry } from "./schema_entry.ts";
export { SchemaStore } from "./schemas.ts";
export { type NamedServer, ServerStore } from "./servers.ts";
export { TypedUrlStore } from "./typed_urls.ts";
