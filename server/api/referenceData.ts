import { rawOf } from '#server/upstream/replies.ts';
import type { Handlers } from './handlers.ts';

interface Read<T, S> {
  data: T;
  skipped?: S;
  text: string;
}
type LookupAnswer<T, S> = Omit<Read<T, S>, 'text'>;

/** Returns an answer's data and skipped parts, if any. */
const answerOf = <T, S>({ data, skipped }: Read<T, S>): LookupAnswer<T, S> => ({
  data,
  ...(skipped !== undefined && { skipped }),
});

/** Like `answerOf`; if the query asks for it, with what the service sent. */
const answerWithRaw = <T, S>(
  answer: Read<T, S>,
  { raw }: { raw?: string | undefined },
): LookupAnswer<T, S> & { raw?: string } =>
  raw === undefined ? answerOf(answer) : { ...answerOf(answer), raw: rawOf(answer.text) };

/** Handlers for definitions and health of the service. Country and language default to those of the settings. */
export const referenceDataHandlers = {
  async getProviders({ settings, upstream }, { query }) {
    const { providerCountry, acceptLanguage } = settings;
    const locale = { country: query.country ?? providerCountry, language: query.language ?? acceptLanguage };
    return answerWithRaw(await upstream.providers(locale), query);
  },
  async getProvider({ settings, upstream }, { params }) {
    return answerOf(await upstream.provider(params.providerId, settings.acceptLanguage));
  },
  getLocalInstruments: async ({ settings, upstream }) =>
    answerOf(await upstream.localInstruments(settings.acceptLanguage)),
  getBanks: ({ upstream }) => upstream.banks(),
  async getFileFormats({ settings, upstream }, { query }) {
    const { fileFormatCountry, acceptLanguage } = settings;
    const locale = { country: query.country ?? fileFormatCountry, language: query.language ?? acceptLanguage };
    return answerWithRaw(await upstream.fileFormats(locale), query);
  },
  getTranslation: async ({ settings, upstream }, { params }) => ({
    data: { data: { translation: await upstream.translation(params.key, settings.acceptLanguage) } },
  }),
  getConsumerHealth: async ({ upstream }) => ({ data: await upstream.health('consumer') }),
  getMessagingHealth: async ({ upstream }) => ({ data: await upstream.health('messaging') }),
} satisfies Partial<Handlers>;
