import config from "../deno.json" with { type: "json" };

/** The version of Bowire, as in `deno.json`. */
export const VERSION: string = config.version;
