import type { z } from 'zod';
import type { BankList, FileFormat, Health, Provider } from '#contract/entities.ts';
import { bankListSchema } from '#contract/entities.ts';
import type { Clock } from '#server/clock.ts';
import { bounds } from '#server/json.ts';
import type { Bounds } from '#server/json.ts';
import type { UpstreamConfig } from './config.ts';
import { createCache } from './cache.ts';
import type { Http } from './http.ts';
import { answerOf } from './replies.ts';
import { segment } from './segment.ts';
import { endpoints, header, wire } from './wire.ts';

/** Country (alpha-2) and language of definitions; '' leaves the choice to the service. */
interface Locale {
  country: string;
  language: string;
}

type LocalInstrument = z.output<typeof wire.localInstruments>['data'][number];

/** Definitions change rarely: kept for a minute (ms), one request under way for each. */
const life = 60_000;

export interface Definitions {
  providers(locale: Locale): Promise<Provider[]>;
  provider(providerId: string, language: string): Promise<Provider>;
  localInstruments(language: string): Promise<LocalInstrument[]>;
  fileFormats(locale: Locale): Promise<FileFormat[]>;
  banks(): Promise<BankList>;
  /** `key` is {entityId}{entityType}.{ruleId}.{field} (spec, section 7). */
  translation(key: string, language: string): Promise<string>;
  health(api: 'consumer' | 'messaging'): Promise<Health>;
}

export function createDefinitions(deps: { http: Http; config: UpstreamConfig; clock: Clock }): Definitions {
  const { http, config, clock } = deps;
  const cache = createCache<unknown>(clock, () => life);

  async function fetch<Schema extends z.ZodType>(
    path: string,
    language: string,
    schema: Schema,
    within: Bounds = bounds.largeAnswer,
  ): Promise<z.output<Schema>> {
    const reply = await http.read(() => ({
      method: 'GET',
      url: config.baseUrl + path,
      headers: {
        [header.application]: config.applicationId,
        [header.apiKey]: config.apiKey,
        ...(language && { [header.language]: language }),
      },
      most: within.bytes,
    }));
    return answerOf(reply, schema, within);
  }

  const cached = <Schema extends z.ZodType>(path: string, language: string, schema: Schema) =>
    cache.get(`${language} ${path}`, () => fetch(path, language, schema)) as Promise<z.output<Schema>>; // a path has one schema
  const inCountry = (path: string, country: string) =>
    country ? `${path}?country=${encodeURIComponent(country)}` : path;

  return {
    providers: async ({ country, language }) =>
      (await cached(inCountry(endpoints.providers, country), language, wire.providers)).data,
    provider: async (providerId, language) =>
      (await cached(`${endpoints.providers}/${segment(providerId)}`, language, wire.provider)).data,
    localInstruments: async (language) =>
      (await cached(endpoints.localInstruments, language, wire.localInstruments)).data,
    fileFormats: async ({ country, language }) =>
      (await cached(inCountry(endpoints.fileFormats, country), language, wire.fileFormats)).data,
    banks: () => cached(endpoints.banks, '', bankListSchema),
    translation: async (key, language) =>
      (await cached(`${endpoints.translations}/${segment(key)}`, language, wire.translation)).data.translation,
    // A health that was kept would say nothing.
    health: (api) =>
      fetch(api === 'consumer' ? endpoints.consumerStatus : endpoints.messagingStatus, '', wire.health, bounds.answer),
  };
}
