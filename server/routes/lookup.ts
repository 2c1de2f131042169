import type { Deps } from '#server/deps.ts';
import { rawOf } from '#server/upstream/replies.ts';
import { storedSettingsOf } from '#server/workspace/settings.ts';
import { unchangedSince } from './lasting.ts';
import type { Handlers } from './route.ts';

interface Read<T, S> {
  data: T;
  skipped?: S;
  text: string;
}
type Told<T, S> = Omit<Read<T, S>, 'text'>;

/** Results by answer of the service: cached answers recur, and so do their serialised texts (route.ts). */
const known = new WeakMap<object, unknown>();

/** Returns an answer's data and skipped parts, if any; the same object for the same answer. */
function told<T, S>(answer: Read<T, S>): Told<T, S> {
  const { data, skipped } = answer;
  const found = known.get(answer) ?? Object.freeze({ data, ...(skipped !== undefined && { skipped }) });
  known.set(answer, found);
  return found as Told<T, S>; // made of the same answer
}

/** Like `told`; if the query asks for it, with what the service sent. */
const toldWithRaw = <T, S>(answer: Read<T, S>, { raw }: { raw?: string | undefined }): Told<T, S> & { raw?: string } =>
  raw === undefined ? told(answer) : { ...told(answer), raw: rawOf(answer.text) };

/** Wraps an answer as `data`; the same object for the same answer. */
function inData<T extends object>(answer: T): { data: T } {
  const found = known.get(answer) ?? Object.freeze({ data: answer });
  known.set(answer, found);
  return found as { data: T }; // made of the same answer
}

/** Handlers for definitions and health of the service. Country and language default to those of the settings. */
export function lookupRoutes(deps: Deps) {
  const { store } = deps;
  const language = async () => (await storedSettingsOf(store)).acceptLanguage;

  return {
    async getProviders({ query, lasts, service }) {
      lasts(await unchangedSince(deps));
      const { providerCountry, acceptLanguage } = await storedSettingsOf(store);
      const locale = { country: query.country ?? providerCountry, language: query.language ?? acceptLanguage };
      return toldWithRaw(await service().providers(locale), query);
    },
    async getProvider({ params, lasts, service }) {
      lasts(await unchangedSince(deps));
      return told(await service().provider(params.providerId, await language()));
    },
    getLocalInstruments: async ({ service }) => told(await service().localInstruments(await language())),
    getBanks: ({ service }) => service().banks(),
    async getFileFormats({ query, lasts, service }) {
      lasts(await unchangedSince(deps));
      const { fileFormatCountry, acceptLanguage } = await storedSettingsOf(store);
      const locale = { country: query.country ?? fileFormatCountry, language: query.language ?? acceptLanguage };
      return toldWithRaw(await service().fileFormats(locale), query);
    },
    getTranslation: async ({ params, service }) => ({
      data: { data: { translation: await service().translation(params.key, await language()) } },
    }),
    getConsumerHealth: async ({ service }) => inData(await service().health('consumer')),
    getMessagingHealth: async ({ service }) => inData(await service().health('messaging')),
  } satisfies Partial<Handlers>;
}
