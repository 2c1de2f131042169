import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';

const providerOf = ({ provider }: Facts): string => provider?.name ?? 'The provider';

const reasons: Partial<Record<JourneyId, (facts: Facts) => string>> = {
  settings: () => 'Providers, bank file templates and the texts of every rule depend on them.',
  organisation: () =>
    'It is the customer to whom everything belongs; its signing key signs every call and stays on the server.',
  company: () => 'It belongs to the organisation and holds subscriptions and payments.',
  accessToken: () => 'The calls that follow are made in the company’s name.',
  userToken: () => 'Account and data set are created in the name of a person.',
  account: () => 'The network files the company’s data sets under it.',
  dataset: () => 'It belongs to the account and says where the data come from.',
  subscription: () => 'A subscription connects the company’s accounts to a provider, whose rules say what it asks for.',
  authorisation: (facts) => `${providerOf(facts)} has it; someone has to approve it on its page before it can pay.`,
  debtor: (facts) => `It is the bank account to pay from. ${providerOf(facts)} answers by webhook.`,
  creditor: (facts) => `It is a payee. ${providerOf(facts)} answers by webhook.`,
  electronicPayment: () => 'Everything is there: choose an account and invoices, review, pay.',
  batch: () => 'Its status changes until every payment has ended.',
};

/** The reason why a row of the guided path is next, as a sentence. */
export const whyNext = (id: JourneyId, facts: Facts): string => reasons[id]?.(facts) ?? '';
