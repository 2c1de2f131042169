import type { AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import type { Step } from '#steps/steps.ts';

/** A journey's machine with its ports supplied; `input` derives its journey-specific input from the address. */
export interface SuppliedJourney {
  machine: AnyStateMachine;
  input?: (query: URLSearchParams) => object;
}

/** The modules that a journey's page loads when it is first opened: its machine with its ports, and its view. */
interface Page {
  machine: () => Promise<SuppliedJourney>;
  step: () => Promise<{ default: Step }>;
}

export type Pages = Readonly<Record<JourneyId, Page>>;

export const pages: Pages = {
  settings: {
    machine: async () => (await import('./ports/settings.ts')).settings,
    step: () => import('#steps/settings/SettingsStep.tsx'),
  },
  organisation: {
    machine: async () => (await import('./ports/onboarding.ts')).organisation,
    step: () => import('#steps/onboarding/OrganisationStep.tsx'),
  },
  company: {
    machine: async () => (await import('./ports/onboarding.ts')).company,
    step: () => import('#steps/onboarding/CompanyStep.tsx'),
  },
  accessToken: {
    machine: async () => (await import('./ports/onboarding.ts')).accessToken,
    step: () => import('#steps/onboarding/AccessTokenStep.tsx'),
  },
  userToken: {
    machine: async () => (await import('./ports/onboarding.ts')).userToken,
    step: () => import('#steps/onboarding/UserTokenStep.tsx'),
  },
  account: {
    machine: async () => (await import('./ports/onboarding.ts')).account,
    step: () => import('#steps/onboarding/AccountStep.tsx'),
  },
  dataset: {
    machine: async () => (await import('./ports/onboarding.ts')).dataset,
    step: () => import('#steps/onboarding/DatasetStep.tsx'),
  },
  subscription: {
    machine: async () => (await import('./ports/subscription.ts')).subscription,
    step: () => import('#steps/subscription/SubscriptionStep.tsx'),
  },
  bankSubscription: {
    machine: async () => (await import('./ports/subscription.ts')).bankSubscription,
    step: () => import('#steps/subscription/BankSubscriptionStep.tsx'),
  },
  authorisation: {
    machine: async () => (await import('./ports/authorisation.ts')).authorisation,
    step: () => import('#steps/subscription/AuthorisationStep.tsx'),
  },
  debtor: {
    machine: async () => (await import('./ports/party.ts')).debtor,
    step: () => import('#steps/party/DebtorStep.tsx'),
  },
  debtorQuery: {
    machine: async () => (await import('./ports/party.ts')).debtorQuery,
    step: () => import('#steps/party/DebtorQueryStep.tsx'),
  },
  creditor: {
    machine: async () => (await import('./ports/party.ts')).creditor,
    step: () => import('#steps/party/CreditorStep.tsx'),
  },
  creditorQuery: {
    machine: async () => (await import('./ports/party.ts')).creditorQuery,
    step: () => import('#steps/party/CreditorQueryStep.tsx'),
  },
  electronicPayment: {
    machine: async () => (await import('./ports/payment.ts')).electronicPayment,
    step: () => import('#steps/payment/PaymentStep.tsx'),
  },
  filePayment: {
    machine: async () => (await import('./ports/payment.ts')).filePayment,
    step: () => import('#steps/payment/PaymentStep.tsx'),
  },
  batch: {
    machine: async () => (await import('./ports/batch.ts')).batch,
    step: () => import('#steps/batch/BatchStep.tsx'),
  },
  batchList: {
    machine: async () => (await import('./ports/batch.ts')).batchList,
    step: () => import('#steps/batch/BatchListStep.tsx'),
  },
  transfer: {
    machine: async () => (await import('./ports/payment.ts')).transfer,
    step: () => import('#steps/payment/TransferStep.tsx'),
  },
  consumerHealth: {
    machine: async () => (await import('./ports/lookup.ts')).consumerHealth,
    step: () => import('#steps/lookup/HealthStep.tsx'),
  },
  messagingHealth: {
    machine: async () => (await import('./ports/lookup.ts')).messagingHealth,
    step: () => import('#steps/lookup/HealthStep.tsx'),
  },
  translations: {
    machine: async () => (await import('./ports/lookup.ts')).translations,
    step: () => import('#steps/lookup/TranslationsStep.tsx'),
  },
  bankFiles: {
    machine: async () => (await import('./ports/lookup.ts')).bankFiles,
    step: () => import('#steps/lookup/BankFilesStep.tsx'),
  },
  providers: {
    machine: async () => (await import('./ports/lookup.ts')).providers,
    step: () => import('#steps/lookup/ProvidersStep.tsx'),
  },
  additionalData: {
    machine: async () => (await import('./ports/lookup.ts')).additionalData,
    step: () => import('#steps/lookup/AdditionalDataStep.tsx'),
  },
};
