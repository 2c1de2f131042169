import type { z } from 'zod';
import { sampleBanks } from '#contract/banks.ts';
import type { BankList, FileFormat, Health, LocalInstrument, Provider } from '#contract/lookup.ts';
import { bankListSchema } from '#contract/lookup.ts';
import { requests, type Locale, type ServiceRequest } from '#contract/requests/requests.ts';
import type { Clock } from '#server/clock.ts';
import { bounds } from '#server/http/json.ts';
import { Failure } from '#server/failure.ts';
import { createKept } from './cache.ts';
import type { Cache, Kept, Loaded } from './cache.ts';
import type { Http } from './http.ts';
import { healthOf, sameAnswerOf } from './replies.ts';
import type { AnsweredText } from './replies.ts';
import { segment } from './segment.ts';
import type { Signer } from './signer.ts';
import type { Skipped } from './tolerant.ts';
import { endpoints, header, wire } from './wire.ts';

/** The data of an answer, the parts of it that were skipped, if any, and its text as sent. */
interface Read<T> {
  data: T;
  skipped?: Skipped[] | undefined;
  text: string;
}

/** Time (ms) for which definitions are cached; they change rarely. */
const life = 60_000;
/** Maximum size of the cache, and the overhead counted for each answer, in characters. */
const most = 64 * 1024 * 1024;
const beside = 1024;

/** Statuses of a service that does not have the resource at all. */
const absent: readonly (number | undefined)[] = [404, 405, 410, 501];
const isAbsent = (error: unknown): boolean =>
  error instanceof Failure && absent.includes(error.problem.upstream?.status);

export interface Definitions {
  providers(locale: Locale): Promise<Read<Provider[]>>;
  /** Returns a provider in this language, or in its own if it does not support this one. */
  provider(providerId: string, language: string): Promise<Read<Provider>>;
  localInstruments(language: string): Promise<Read<LocalInstrument[]>>;
  fileFormats(locale: Locale): Promise<Read<FileFormat[]>>;
  /** Returns the service's list of banks; the sample banks if it has none. */
  banks(): Promise<BankList>;
  /** `key` is {entityId}{entityType}.{ruleId}.{field} (behaviour, section 7). */
  translation(key: string, language: string): Promise<string>;
  health(api: 'consumer' | 'messaging'): Promise<Health>;
}

/**
 * The cached definitions, shared by all workspaces with the same configuration; each workspace makes its own requests
 * for them.
 */
export type KeptDefinitions = Kept<object>;
export const keptDefinitions = (clock: Clock): KeptDefinitions => createKept(clock, most);

interface Deps {
  http: Http;
  signer: Signer;
  cache: Cache<object>;
}

/** A class, so that its methods are created once rather than for each call, which makes an instance. */
export class DefinitionsClient implements Definitions {
  readonly #http: Http;
  readonly #signer: Signer;
  readonly #cache: Cache<object>;

  constructor({ http, signer, cache }: Deps) {
    this.#http = http;
    this.#signer = signer;
    this.#cache = cache;
  }

  async #fetch<Schema extends z.ZodObject>(
    request: ServiceRequest,
    schema: Schema,
  ): Promise<Loaded<AnsweredText<Schema>>> {
    const reply = await this.#http.read(() => ({
      asked: request.path === endpoints.banks ? ('banks' as const) : ('usual' as const),
      most: bounds.largeAnswer.bytes,
      ...this.#signer.plain(request),
    }));
    return { value: sameAnswerOf(reply, schema, bounds.largeAnswer), life, size: beside + reply.text.length };
  }

  #cached<Schema extends z.ZodObject>(request: ServiceRequest, schema: Schema) {
    const key = `${request.headers[header.language] ?? ''} ${request.path}`;
    return this.#cache(key, () => this.#fetch(request, schema)) as Promise<AnsweredText<Schema>>; // a path has one schema
  }

  providers(locale: Locale) {
    return this.#cached(requests.providers(locale), wire.providers);
  }

  async provider(providerId: string, language: string) {
    const id = segment(providerId);
    try {
      return await this.#cached(requests.provider(id, language), wire.provider);
    } catch (error) {
      // The provider may exist but not support the language.
      if (language === '' || !(error instanceof Failure && error.definite)) throw error;
      if (['key-rejected', 'upstream-busy'].includes(error.problem.code)) throw error;
      return await this.#cached(requests.provider(id, ''), wire.provider);
    }
  }

  localInstruments(language: string) {
    return this.#cached(requests.localInstruments(language), wire.localInstruments);
  }

  fileFormats(locale: Locale) {
    return this.#cached(requests.fileFormats(locale), wire.fileFormats);
  }

  async banks() {
    const { text: _text, ...list } = await this.#cached(requests.banks(), bankListSchema).catch((error: unknown) => {
      if (isAbsent(error)) return { ...sampleBanks, text: '' };
      throw error;
    });
    const named = list.data.map((bank) => ({
      ...bank,
      friendly_name: bank.friendly_name || bank.name || bank.bank_id,
    }));
    return { ...list, data: named };
  }

  async translation(key: string, language: string) {
    return (await this.#cached(requests.translation(segment(key), language), wire.translation)).data.translation;
  }

  /** Not cached, because health must be current. */
  async health(api: 'consumer' | 'messaging') {
    const ask = () => ({
      asked: 'usual' as const,
      most: bounds.answer.bytes,
      ...this.#signer.plain(requests.health(api)),
    });
    return healthOf(await this.#http.read(ask));
  }
}
