import { requests } from '#contract/requests/requests.ts';
import type { Question } from '#machines/lookup/lookup.machine.ts';
import { contextIn, nothing, type PreviewOf } from '../preview.ts';

/** The lookup of definitions; if no country or language is chosen, takes those of the settings. */
export const definitions =
  (of: 'providers' | 'fileFormats', setting: 'providerCountry' | 'fileFormatCountry'): PreviewOf =>
  (snapshot, { settings }) => {
    const { question } = contextIn<{ question: Question }>(snapshot);
    const { country = settings[setting], language = settings.acceptLanguage } = question;
    return { request: requests[of]({ country, language }), lineOf: nothing };
  };

/** The question whether an API of the service works. */
export const health =
  (api: 'consumer' | 'messaging'): PreviewOf =>
  () => ({ request: requests.health(api), lineOf: nothing });
