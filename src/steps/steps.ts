import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { BatchListStep } from './batch/BatchListStep.tsx';
import { BatchStep } from './batch/BatchStep.tsx';
import { AdditionalDataStep } from './lookup/AdditionalDataStep.tsx';
import { BankFilesStep } from './lookup/BankFilesStep.tsx';
import { HealthStep } from './lookup/HealthStep.tsx';
import { ProvidersStep } from './lookup/ProvidersStep.tsx';
import { TranslationsStep } from './lookup/TranslationsStep.tsx';
import { AccessTokenStep } from './onboarding/AccessTokenStep.tsx';
import { AccountStep } from './onboarding/AccountStep.tsx';
import { CompanyStep } from './onboarding/CompanyStep.tsx';
import { DatasetStep } from './onboarding/DatasetStep.tsx';
import { OrganisationStep } from './onboarding/OrganisationStep.tsx';
import { UserTokenStep } from './onboarding/UserTokenStep.tsx';
import { CreditorQueryStep } from './party/CreditorQueryStep.tsx';
import { CreditorStep } from './party/CreditorStep.tsx';
import { DebtorQueryStep } from './party/DebtorQueryStep.tsx';
import { DebtorStep } from './party/DebtorStep.tsx';
import { PaymentStep } from './payment/PaymentStep.tsx';
import { TransferStep } from './payment/TransferStep.tsx';
import { SettingsStep } from './settings/SettingsStep.tsx';
import { AuthorisationStep } from './subscription/AuthorisationStep.tsx';
import { BankSubscriptionStep } from './subscription/BankSubscriptionStep.tsx';
import { SubscriptionStep } from './subscription/SubscriptionStep.tsx';

/** The props of a step component: the actor of its journey's machine. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** A step of any journey; `never`, because each step accepts only the actor of its own machine. */
export type Step = ComponentType<{ actor: never }>;

/** The component of each journey. */
export const steps: Readonly<Record<JourneyId, Step>> = {
  settings: SettingsStep,
  organisation: OrganisationStep,
  company: CompanyStep,
  accessToken: AccessTokenStep,
  userToken: UserTokenStep,
  account: AccountStep,
  dataset: DatasetStep,
  subscription: SubscriptionStep,
  bankSubscription: BankSubscriptionStep,
  authorisation: AuthorisationStep,
  debtor: DebtorStep,
  debtorQuery: DebtorQueryStep,
  creditor: CreditorStep,
  creditorQuery: CreditorQueryStep,
  electronicPayment: PaymentStep,
  filePayment: PaymentStep,
  batch: BatchStep,
  batchList: BatchListStep,
  transfer: TransferStep,
  consumerHealth: HealthStep,
  messagingHealth: HealthStep,
  translations: TranslationsStep,
  bankFiles: BankFilesStep,
  providers: ProvidersStep,
  additionalData: AdditionalDataStep,
};
