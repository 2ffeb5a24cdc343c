/**
 * Which methods become tools.
 *
 * @module
 */
import type { Method, Service } from "../../model/mod.ts";

/**
 * Names of services and tags, and of services and methods together, in which `*` stands for any
 * text and `?` for one character.
 */
export interface MethodFilter {
  /** Names of services. */
  readonly service?: readonly string[] | undefined;
  /** Tags that the target's author gave. */
  readonly tag?: readonly string[] | undefined;
  /** HTTP verbs, or types of methods such as `Unary`, in any case. */
  readonly method?: readonly string[] | undefined;
  /** `service/method`. */
  readonly glob?: readonly string[] | undefined;
}

/** Says whether a method is meant. */
export type IsMeant = (service: Service, method: Method) => boolean;

/** What is included is what each list of `include` has, without what any list of `exclude` has. */
export function compileFilters(
  include: MethodFilter = {},
  exclude: MethodFilter = {},
): IsMeant {
  const [wanted, unwanted] = [testsOf(include), testsOf(exclude)];
  return (service, method) =>
    wanted.every((test) => test(service, method)) &&
    !unwanted.some((test) => test(service, method));
}

/** One test a list. */
function testsOf({ service, tag, method, glob }: MethodFilter): IsMeant[] {
  const tests: IsMeant[] = [];
  const add = (
    patterns: readonly string[] | undefined,
    textsOf: (service: Service, method: Method) => readonly string[],
  ) => {
    if (patterns === undefined || patterns.length === 0) return;
    const globs = patterns.map(compileGlob);
    tests.push((...pair) => textsOf(...pair).some((text) => globs.some((glob) => glob.test(text))));
  };
  add(service, ({ name }) => [name]);
  add(tag, (_, { tags = [] }) => tags);
  add(
    method?.map((name) => name.toUpperCase()),
    (_, { httpMethod = "", methodType }) => [httpMethod, methodType.toUpperCase()],
  );
  add(glob, (owner, { name }) => [`${owner.name}/${name}`]);
  return tests;
}

function compileGlob(glob: string): RegExp {
  const source = glob.replace(/\*+/g, "*").replace(/[^*?]+/g, RegExp.escape)
    .replaceAll("*", "[^]*").replaceAll("?", "[^]");
  return new RegExp(`^${source}$`);
}
