/**
 * `bowire.env.list` and `bowire.env.get`.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../../errors/mod.ts";
import { maskEnvironment, maskVariables } from "../environment_mask.ts";
import { defineTool } from "../tool.ts";

/** Shows the environments file. */
export const environmentList = defineTool({
  name: "bowire.env.list",
  title: "List environments",
  description:
    "Show the stored environments: named sets of variables and credentials. Secrets are masked.",
  access: "read",
  input: z.strictObject({}),
  output: z.object({
    path: z.string(),
    environments: z.union([
      z.array(z.looseObject({ id: z.string() })),
      z.looseObject({
        globals: z.record(z.string(), z.string()),
        environments: z.array(z.looseObject({ id: z.string() })),
        activeEnvId: z.string(),
      }),
    ]).describe("The document; an empty list when there is no file"),
  }),
  async run(host) {
    const { path } = host.environments;
    const document = await host.environments.read();
    if (document === undefined) return { path, environments: [] };
    return {
      path,
      environments: {
        ...document,
        globals: maskVariables(document.globals),
        environments: document.environments.map(maskEnvironment),
      },
    };
  },
});

/** Shows one environment. */
export const environmentGet = defineTool({
  name: "bowire.env.get",
  title: "Show an environment",
  description: "Show one stored environment by id or name. Secrets are masked.",
  access: "read",
  input: z.strictObject({ id: z.string().min(1).describe("Id or name of the environment") }),
  output: z.object({
    path: z.string(),
    environment: z.looseObject({ id: z.string() }),
    active: z.boolean().describe("Whether it is the active environment"),
  }),
  async run(host, { id }) {
    const { path } = host.environments;
    const document = await host.environments.read();
    const all = document?.environments ?? [];
    const found = all.find((item) => item.id === id) ?? all.find((item) => item.name === id);
    if (found === undefined) {
      throw new BowireError("not_found", `there is no environment "${id}" in "${path}"`, {
        hint: all.length === 0
          ? "none are stored"
          : `stored are: ${all.map((item) => item.name ?? item.id).join(", ")}`,
      });
    }
    return {
      path,
      environment: maskEnvironment(found),
      active: found.id === document?.activeEnvId,
    };
  },
});
