import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';

/** What a step component is given: the running machine of its journey. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** `never`: each step takes the actor of its own machine, and the registry holds them all. */
export type Step = ComponentType<{ actor: never }>;

/** What each journey looks like, loaded with its page. */
export const steps: Record<JourneyId, () => Promise<{ default: Step }>> = {
  settings: () => import('./settings/SettingsStep.tsx'),
  organisation: () => import('./organisation/OrganisationStep.tsx'),
  company: () => import('./company/CompanyStep.tsx'),
  accessToken: () => import('./accessToken/AccessTokenStep.tsx'),
  userToken: () => import('./userToken/UserTokenStep.tsx'),
  account: () => import('./account/AccountStep.tsx'),
  dataset: () => import('./dataset/DatasetStep.tsx'),
  subscription: () => import('./subscription/SubscriptionStep.tsx'),
  bankSubscription: () => import('./subscription/BankSubscriptionStep.tsx'),
  authorisation: () => import('./authorisation/AuthorisationStep.tsx'),
  debtor: () => import('./party/DebtorStep.tsx'),
  debtorQuery: () => import('./partyQuery/DebtorQueryStep.tsx'),
  creditor: () => import('./party/CreditorStep.tsx'),
  creditorQuery: () => import('./partyQuery/CreditorQueryStep.tsx'),
  electronicPayment: () => import('./payment/PaymentStep.tsx'),
  filePayment: () => import('./payment/PaymentStep.tsx'),
  batch: () => import('./batch/BatchStep.tsx'),
  batchList: () => import('./batchList/BatchListStep.tsx'),
  transfer: () => import('./transfer/TransferStep.tsx'),
  consumerHealth: () => import('./health/HealthStep.tsx'),
  messagingHealth: () => import('./health/HealthStep.tsx'),
  translations: () => import('./translations/TranslationsStep.tsx'),
  bankFiles: () => import('./definitions/BankFilesStep.tsx'),
  providers: () => import('./definitions/ProvidersStep.tsx'),
  additionalData: () => import('./additionalData/AdditionalDataStep.tsx'),
};
