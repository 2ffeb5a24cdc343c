// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Holds what the gRPC plugin says of methods against all services of npm `google-proto-files`: they
 * are one library, and the schemas and the sample of each method are judged (`judge.ts`).
 *
 * Run: `deno task corpus`
 *
 * Exit code 1 when a file cannot be linked, or a method's schema or sample is wrong.
 *
 * @module
 */
import { describeServices } from "../../../plugins/grpc/describe/mod.ts";
import { buildLibrary } from "../../../plugins/grpc/schema/library.ts";
import { readDescriptorSet } from "./descriptor_set.ts";
import { Judge } from "./judge.ts";

/** Most wrong methods that are named. */
const MAX_NAMED = 20;

const seconds = () => (performance.now() / 1000).toFixed(1);

const files = await readDescriptorSet();
console.log(`${seconds()} s: ${files.length} files compiled and read`);
const library = buildLibrary(files);
console.log(`${seconds()} s: linked, faults: ${library.faults.length}`);
const described = describeServices(library, { showInternal: true });
const services = [...library.registry].filter((type) => type.kind === "service");
const methods = services.flatMap((service) => service.methods);
console.log(`${seconds()} s: ${described.length} services, ${methods.length} methods described`);
const judge = new Judge(library.registry);
const wrong = methods.flatMap((method) => {
  const reason = judge.judge(method);
  return reason === undefined ? [] : [`${method.parent.typeName}/${method.name}: ${reason}`];
});
console.log(
  `${seconds()} s: ${judge.types} types judged, ${judge.unsampled} methods without a sample, ` +
    `longest schema ${judge.longest.schema}, longest definition ${judge.longest.definition}`,
);
const lost = described.length === services.length ? [] : ["services were lost"];
const failures = [...library.faults, ...lost, ...wrong];
for (const failure of failures.slice(0, MAX_NAMED)) console.error(failure);
console.log(`${failures.length} failures`);
Deno.exitCode = failures.length === 0 ? 0 : 1;
