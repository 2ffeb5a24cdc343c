/**
 * A discovery as an agent sees it: flags that are false left out, and small enough to read.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Attempt, Discovery, Field, Message, Method, Service } from "../model/mod.ts";

/** Most characters of a discovery's services as JSON, about 25,000 tokens. */
export const DEFAULT_MAX_CHARS = 100_000;

/** Parts of a discovery to show, and how much of them. */
export interface DiscoveryFilter {
  readonly service?: string | undefined;
  readonly method?: string | undefined;
  /** Details are left out to stay below. @default 100000 */
  readonly maxChars?: number | undefined;
}

/** A discovery as it is shown. */
export interface DiscoveryView {
  readonly url: string;
  readonly services: ReturnType<typeof viewService>[];
  readonly attempts: (Omit<Attempt, "details"> & { details: string[] | null })[];
  readonly truncated: boolean;
  readonly note?: string;
}

/** What is left out to make a discovery fit, step by step. */
const STEPS: readonly { readonly keep: (method: Method) => object; readonly lacks: string }[] = [
  {
    keep: (method) => ({
      ...headOf(method),
      input: viewMessage(method.inputType),
      output: viewMessage(method.outputType),
    }),
    lacks: "",
  },
  {
    keep: (method) => ({ ...headOf(method), input: viewMessage(method.inputType) }),
    lacks: "the fields of the answers",
  },
  { keep: headOf, lacks: "all fields" },
  { keep: ({ name, methodType }) => ({ name, type: methodType }), lacks: "all but the names" },
];

/**
 * Shows a discovery, or the part that a filter names.
 *
 * @throws {BowireError} `unknown_service` or `unknown_method` when the filter names nothing.
 */
export function viewDiscovery(discovery: Discovery, filter: DiscoveryFilter): DiscoveryView {
  const services = select(discovery, filter);
  const { url } = discovery;
  const attempts = discovery.attempts.map((attempt) => ({
    ...attempt,
    details: attempt.details === null ? null : [...attempt.details],
  }));
  for (const { keep, lacks } of STEPS) {
    const shown = services.map((service) => viewService(service, keep));
    if (JSON.stringify(shown).length > (filter.maxChars ?? DEFAULT_MAX_CHARS)) continue;
    if (lacks === "") return { url, services: shown, attempts, truncated: false };
    return { url, services: shown, attempts, truncated: true, note: noteOn(lacks) };
  }
  const counted = services.map((service) => ({ ...viewService(service, headOf), methods: [] }));
  return { url, services: counted, attempts, truncated: true, note: noteOn("all methods") };
}

function noteOn(lacks: string): string {
  return `The API is large: ${lacks} are left out. Name a service, or a service and a method, to see more.`;
}

function select(discovery: Discovery, filter: DiscoveryFilter): readonly Service[] {
  const services = filter.service === undefined
    ? discovery.services
    : discovery.services.filter(({ name }) => name === filter.service);
  if (services.length === 0) {
    throw new BowireError("unknown_service", `there is no service "${filter.service}"`, {
      hint: `known are: ${discovery.services.slice(0, 30).map(({ name }) => name).join(", ")}`,
    });
  }
  if (filter.method === undefined) return services;
  const narrowed = services
    .map((service) => ({
      ...service,
      methods: service.methods.filter((method) => isNamed(method, filter.method)),
    }))
    .filter(({ methods }) => methods.length > 0);
  if (narrowed.length === 0) {
    throw new BowireError("unknown_method", `there is no method "${filter.method}"`, {
      hint: "leave method out to list them all",
    });
  }
  return narrowed;
}

function isNamed(method: Method, name: string | undefined): boolean {
  return method.name === name || method.fullName === name;
}

function viewService(service: Service, keep: (method: Method) => object) {
  const { name, source, version, description, methods } = service;
  return {
    protocol: source,
    service: name,
    ...(service.package === "" ? {} : { package: service.package }),
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    methodCount: methods.length,
    methods: methods.map((method) => ({
      name: method.name,
      type: method.methodType,
      ...keep(method),
    })),
  };
}

function headOf(method: Method) {
  const { name, methodType, httpMethod, httpPath, summary, description, deprecated, isIncoming } =
    method;
  return {
    name,
    type: methodType,
    ...(httpMethod === undefined ? {} : { httpMethod }),
    ...(httpPath === undefined ? {} : { httpPath }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined || description === summary ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    ...(isIncoming === true ? { incoming: true } : {}),
  };
}

function viewMessage(
  { fields, definitions, ...message }: Message,
): { name: string; fullName: string; fields: object[] } {
  const recurring = Object.entries(definitions ?? {})
    .map(([name, definition]) => [name, viewMessage(definition)]);
  return {
    ...message,
    fields: fields.map(viewField),
    ...(recurring.length === 0 ? {} : { definitions: Object.fromEntries(recurring) }),
  };
}

function viewField(field: Field): object {
  const { messageType, ...plain } = field;
  const shown = Object.entries(plain).filter(([, value]) => value !== false);
  return {
    ...Object.fromEntries(shown),
    ...(messageType === undefined ? {} : { messageType: viewMessage(messageType) }),
  };
}
