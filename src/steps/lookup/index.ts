import type { StepTable } from '../step.ts';
import { AdditionalDataStep } from './AdditionalDataStep.tsx';
import { BankFilesStep } from './BankFilesStep.tsx';
import { HealthStep } from './HealthStep.tsx';
import { ProvidersStep } from './ProvidersStep.tsx';
import { TranslationsStep } from './TranslationsStep.tsx';
import { definitions, health } from './previews.ts';

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
