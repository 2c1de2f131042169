import type { CompanyContext } from '#server/companies/companyContext.ts';
import { rawOf } from '#server/upstream/replies.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
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
export function referenceDataRoutes(deps: CompanyContext) {
  const { store, upstream } = deps;
  const language = async () => (await storedSettingsOf(store)).acceptLanguage;

  return {
    async getProviders({ query }) {
      const { providerCountry, acceptLanguage } = await storedSettingsOf(store);
      const locale = { country: query.country ?? providerCountry, language: query.language ?? acceptLanguage };
      return answerWithRaw(await upstream.providers(locale), query);
    },
    async getProvider({ params }) {
      return answerOf(await upstream.provider(params.providerId, await language()));
    },
    getLocalInstruments: async () => answerOf(await upstream.localInstruments(await language())),
    getBanks: () => upstream.banks(),
    async getFileFormats({ query }) {
      const { fileFormatCountry, acceptLanguage } = await storedSettingsOf(store);
      const locale = { country: query.country ?? fileFormatCountry, language: query.language ?? acceptLanguage };
      return answerWithRaw(await upstream.fileFormats(locale), query);
    },
    getTranslation: async ({ params }) => ({
      data: { data: { translation: await upstream.translation(params.key, await language()) } },
    }),
    getConsumerHealth: async () => ({ data: await upstream.health('consumer') }),
    getMessagingHealth: async () => ({ data: await upstream.health('messaging') }),
  } satisfies Partial<Handlers>;
}
