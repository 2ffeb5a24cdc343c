/**
 * Services with the fields of their messages. A list of tools does not take them, and they cost most
 * of a discovery: they are read when somebody asks.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import type { Method, Service } from "../../model/mod.ts";
import { type Reader, readWhole } from "./read_url.ts";

/** Where a service was found. */
interface Place {
  /** As it was given. */
  readonly url: string;
  readonly service: Service;
}

/** Reads each URL once. */
export class WholeServices {
  readonly #reader: Reader;
  readonly #byUrl = new Map<string, Promise<readonly Service[]>>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * The service whole; as it was found when it is there no more.
   *
   * @throws {BowireError} as a discovery does.
   */
  async service({ url, service }: Place): Promise<Service> {
    if (service.methods.some(hasFields)) return service;
    const services = await this.#read(url);
    return services.find(({ name, source }) =>
      name === service.name && source === service.source
    ) ??
      service;
  }

  /** The whole methods of services, by those that were found; without those that cannot be had. */
  async methods(places: readonly Place[]): Promise<ReadonlyMap<Method, Method>> {
    const pairs = await Promise.all(places.map(async (place) => {
      const { methods } = await this.#serviceIfAny(place);
      const byName = new Map(methods.map((method) => [keyOf(method), method]));
      return place.service.methods.map((method): [Method, Method] => [
        method,
        byName.get(keyOf(method)) ?? method,
      ]);
    }));
    return new Map(pairs.flat());
  }

  async #serviceIfAny(place: Place): Promise<Service> {
    try {
      return await this.service(place);
    } catch (error) {
      if (error instanceof BowireError) return place.service;
      throw error;
    }
  }

  async #read(url: string): Promise<readonly Service[]> {
    const reading = this.#byUrl.get(url) ?? readWhole(this.#reader, url);
    this.#byUrl.set(url, reading);
    try {
      return await reading;
    } catch (error) {
      this.#byUrl.delete(url); // the next one may have more luck
      throw error;
    }
  }
}

function keyOf({ name, fullName }: Method): string {
  return `${name}\n${fullName}`;
}

/** False for a method of a brief discovery. */
function hasFields({ inputType, outputType }: Method): boolean {
  return inputType.fields.length + outputType.fields.length > 0;
}
