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

/** How much is shown of each method. */
interface Step {
  /** The messages whose fields are shown; `undefined` when only the method's name is. */
  readonly messages: readonly ("input" | "output")[] | undefined;
  /** What is left out, in words. */
  readonly lacks: string;
}

/** What is left out to make a discovery fit, step by step. */
const STEPS: readonly Step[] = [
  { messages: ["input", "output"], lacks: "" },
  { messages: ["input"], lacks: "the fields of the answers" },
  { messages: [], lacks: "all fields" },
  { messages: undefined, lacks: "all but the names" },
];

/** No field takes fewer characters of JSON. */
const MIN_FIELD_CHARS = 60;

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
  const maxChars = filter.maxChars ?? DEFAULT_MAX_CHARS;
  for (const step of STEPS) {
    const { lacks } = step;
    if (!mayFit(services, step, maxChars)) continue;
    const shown = services.map((service) => viewService(service, (method) => keep(method, step)));
    if (maxChars < Number.MAX_SAFE_INTEGER && JSON.stringify(shown).length > maxChars) continue;
    if (lacks === "") return { url, services: shown, attempts, truncated: false };
    return { url, services: shown, attempts, truncated: true, note: noteOn(lacks) };
  }
  const counted = services.map((service) => ({ ...viewService(service, headOf), methods: [] }));
  return { url, services: counted, attempts, truncated: true, note: noteOn("all methods") };
}

/** What a step shows of a method besides its name and type. */
function keep(method: Method, { messages }: Step): object {
  if (messages === undefined) return {};
  const shown = messages.map((name) => [name, viewMessage(messageOf(method, name))]);
  return { ...headOf(method), ...Object.fromEntries(shown) };
}

function messageOf({ inputType, outputType }: Method, name: "input" | "output"): Message {
  return name === "input" ? inputType : outputType;
}

/** False when the fields alone are too many: a cheap look before anything is written out. */
function mayFit(services: readonly Service[], { messages = [] }: Step, maxChars: number): boolean {
  let left = maxChars / MIN_FIELD_CHARS;
  const count = ({ fields }: Message): void => {
    left -= fields.length;
    for (const { messageType } of fields) {
      if (left < 0) return;
      if (messageType !== undefined) count(messageType);
    }
  };
  for (const { methods } of services) {
    for (const method of methods) {
      for (const name of messages) count(messageOf(method, name));
      if (left < 0) return false;
    }
  }
  return true;
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
  const {
    name,
    methodType,
    httpMethod,
    httpPath,
    summary,
    description,
    deprecated,
    isIncoming,
    security,
    title,
    tags,
    hints,
  } = method;
  return {
    name,
    type: methodType,
    ...(httpMethod === undefined ? {} : { httpMethod }),
    ...(httpPath === undefined ? {} : { httpPath }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined || description === summary ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    ...(isIncoming === true ? { incoming: true } : {}),
    ...(security === undefined ? {} : { security }),
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(hints === undefined ? {} : { hints }),
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
