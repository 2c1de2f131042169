import type { StepTable } from '../step.ts';
import { AdditionalDataStep } from './AdditionalDataStep.tsx';
import { BankFilesStep, ProvidersStep } from './DefinitionsStep.tsx';
import { HealthStep } from './HealthStep.tsx';
import { TranslationsStep } from './TranslationsStep.tsx';
import { requests } from '#contract/requests/requests.ts';
import type { Question } from '#machines/lookup/lookup.machine.ts';
import { contextIn, nothing, type PreviewOf } from '../preview.ts';

/** The lookup of definitions; if no country or language is chosen, takes those of the settings. */
const definitions =
  (of: 'providers' | 'fileFormats', setting: 'providerCountry' | 'fileFormatCountry'): PreviewOf =>
  (snapshot, { settings }) => {
    const { question } = contextIn<{ question: Question }>(snapshot);
    const { country = settings[setting], language = settings.acceptLanguage } = question;
    return { request: requests[of]({ country, language }), lineOf: nothing };
  };

/** The question whether an API of the service works. */
const health =
  (api: 'consumer' | 'messaging'): PreviewOf =>
  () => ({ request: requests.health(api), lineOf: nothing });

/** How the journeys of this area present themselves. */
export const lookupSteps = {
  consumerHealth: {
    Step: HealthStep,
    layout: 'list',
    calls: ['getConsumerHealth'],
    preview: health('consumer'),
  },
  messagingHealth: {
    Step: HealthStep,
    layout: 'list',
    calls: ['getMessagingHealth'],
    preview: health('messaging'),
  },
  translations: {
    Step: TranslationsStep,
    layout: 'list',
    calls: ['getTranslation'],
  },
  bankFiles: {
    Step: BankFilesStep,
    layout: 'list',
    calls: ['getFileFormats'],
    preview: definitions('fileFormats', 'fileFormatCountry'),
  },
  providers: {
    Step: ProvidersStep,
    layout: 'list',
    calls: ['getProviders'],
    preview: definitions('providers', 'providerCountry'),
  },
  additionalData: {
    Step: AdditionalDataStep,
    layout: 'list',
    calls: ['getProviders', 'getFileFormats', 'getLocalInstruments'],
  },
} as const satisfies StepTable;
