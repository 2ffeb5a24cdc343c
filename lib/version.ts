/** The version of Bowire, as in `deno.json`. */
import config from "../deno.json" with { type: "json" };

export const VERSION: string = config.version;
