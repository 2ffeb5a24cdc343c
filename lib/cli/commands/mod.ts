/**
 * All commands, in the order of `--help`.
 *
 * @module
 */
import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addAllowlistCommands } from "./allowlist.ts";
import { addCallCommand } from "./call/call.ts";
import { addCompletionCommand } from "./complete.ts";
import { addDescribeCommand } from "./describe.ts";
import { addDiscoverCommands } from "./discover.ts";
import { addEnvironmentCommands } from "./environments.ts";
import { addMcpCommands } from "./mcp.ts";
import { addOpenCommand } from "./open.ts";
import { addPermissionsCommand } from "./permissions.ts";
import { addSchemaCommands } from "./schema.ts";
import { addVersionCommand } from "./version.ts";

/**
 * Adds every command to the program.
 *
 * @param rebuild makes another program of the same commands.
 */
export function addCommands(program: Command, session: Session, rebuild: () => Command): void {
  addOpenCommand(program, session);
  addDiscoverCommands(program, session);
  addDescribeCommand(program, session);
  addCallCommand(program, session);
  addSchemaCommands(program, session);
  addAllowlistCommands(program, session);
  addEnvironmentCommands(program, session);
  addMcpCommands(program, session);
  addPermissionsCommand(program, session, rebuild);
  addVersionCommand(program, session);
  addCompletionCommand(program, session);
}
