import { LRUCache } from 'lru-cache';
import { sampleBanks } from '#contract/banks.ts';
import type { BankList, FileFormat, Health, LocalInstrument, Provider } from '#contract/lookup.ts';
import { requests, type Locale, type ServiceRequest } from '#contract/requests/requests.ts';
import type { Clock } from '#server/clock.ts';
import { jsonLimits } from '#server/http/json.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import type { Http, Reply } from './http.ts';
import type { ReadName } from './operations.ts';
import { answerOf, healthOf, type Answered } from './replies.ts';
import { segment, header } from './wire.ts';
import type { Signer } from './signer.ts';
import type { SingleFlight } from '#server/concurrency.ts';
import type { Skipped } from './lenientParse.ts';

/** The data of an answer, the parts of it that were skipped, if any, and its text as sent. */
interface Read<T> {
  data: T;
  skipped?: Skipped[] | undefined;
  text: string;
}

type AnsweredText<Name extends ReadName> = Answered<Name> & { text: string };

/** Time (ms) for which definitions are cached. */
const ttl = 60_000;
/** Maximum size of the cache, and the overhead counted for each answer, in characters. */
const maximumSize = 64 * 1024 * 1024;
const entryOverhead = 1024;

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
 * Definitions, by language and path. They change rarely, and forms, gates and facts need them at every step: without the
 * cache, a user would wait for several calls to the service at each page, and facts would ask for each other
 * subscription's provider. Shared by all workspaces with the same configuration; each workspace makes its own requests,
 * so that none waits for another's.
 */
export type DefinitionsCache = LRUCache<string, object>;
export const createDefinitionsCache = (clock: Pick<Clock, 'steady'>): DefinitionsCache =>
  new LRUCache({ maxSize: maximumSize, ttl: ttl, ttlResolution: 0, perf: { now: () => clock.steady() } });

interface Deps {
  http: Http;
  signer: Signer;
  definitions: DefinitionsCache;
  /** The definitions that the workspace is loading. */
  loading: SingleFlight<object>;
}

export class DefinitionsClient implements Definitions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  #read(request: ServiceRequest, maxBytes: number): Promise<Reply> {
    const { http, signer } = this.#deps;
    return http.read(() => ({ maxBytes, ...signer.plain(request) }));
  }

  async #cached<Name extends ReadName>(request: ServiceRequest & { operation: Name }): Promise<AnsweredText<Name>> {
    const { definitions, loading } = this.#deps;
    const key = `${request.headers[header.language] ?? ''} ${request.path}`;
    const load = async () => {
      const reply = await this.#read(request, jsonLimits.largeAnswer.bytes);
      const answer = { ...answerOf(reply, request.operation), text: reply.text };
      definitions.purgeStale();
      definitions.set(key, answer, { size: entryOverhead + reply.text.length });
      return answer;
    };
    return (definitions.get(key) ?? (await loading.run(key, load))) as AnsweredText<Name>; // a path has one schema
  }

  providers(locale: Locale) {
    return this.#cached(requests.providers(locale));
  }

  async provider(providerId: string, language: string) {
    const id = segment(providerId);
    try {
      return await this.#cached(requests.provider(id, language));
    } catch (error) {
      // The provider may exist but not support the language.
      if (language === '' || !isRefusal(error)) throw error;
      return await this.#cached(requests.provider(id, ''));
    }
  }

  localInstruments(language: string) {
    return this.#cached(requests.localInstruments(language));
  }

  fileFormats(locale: Locale) {
    return this.#cached(requests.fileFormats(locale));
  }

  async banks() {
    const { text: _text, ...list } = await this.#cached(requests.banks()).catch((error: unknown) => {
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
    return (await this.#cached(requests.translation(segment(key), language))).data.translation;
  }

  /** Not cached, because health must be current. */
  async health(api: 'consumer' | 'messaging') {
    const request = requests.health(api);
    return healthOf(await this.#read(request, jsonLimits.answer.bytes), request.operation);
  }
}
