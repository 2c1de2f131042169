import type { Facts } from '#contract/facts.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';

/** What the home page asks for next: what is to be done, and why. */
interface NextWords {
  todo: string;
  why: (facts: Facts) => string;
}

const providerOf = ({ provider }: Facts): string => provider?.name ?? 'The provider';

const words: Partial<Record<JourneyId, NextWords>> = {
  settings: {
    todo: 'Choose countries and language',
    why: () => 'Providers, bank file templates and the words of every rule depend on them.',
  },
  organisation: {
    todo: 'Create the organisation',
    why: () =>
      'It is the customer to whom everything belongs; its signing key signs every call and stays on the server.',
  },
  company: {
    todo: 'Create a company',
    why: () => 'It belongs to the organisation and holds subscriptions and payments.',
  },
  accessToken: { todo: 'Get the access token', why: () => 'The calls that follow are made in the company’s name.' },
  userToken: { todo: 'Log in as a user', why: () => 'Account and data set are created in the name of a person.' },
  account: { todo: 'Create the account', why: () => 'The network files the company’s data sets under it.' },
  dataset: { todo: 'Create a data set', why: () => 'It belongs to the account and says where the data come from.' },
  subscription: {
    todo: 'Subscribe to a provider',
    why: () => 'A subscription connects the company’s accounts to a provider, whose rules say what it asks for.',
  },
  authorisation: {
    todo: 'Authorise the subscription',
    why: (facts) => `${providerOf(facts)} has it; someone has to approve it on its page before it can pay.`,
  },
  debtor: {
    todo: 'Create a debtor',
    why: (facts) => `It is the bank account to pay from. ${providerOf(facts)} answers by webhook.`,
  },
  creditor: {
    todo: 'Create a creditor',
    why: (facts) => `It is somebody to be paid. ${providerOf(facts)} answers by webhook.`,
  },
  electronicPayment: {
    todo: 'Pay invoices',
    why: () => 'Everything is there: choose an account and invoices, review, pay.',
  },
  batch: { todo: 'Follow the batch', why: () => 'Its status changes until every payment has come to its end.' },
};

/** Of a row of the guided path. */
export const nextWords = (id: JourneyId): NextWords => words[id] ?? { todo: nameOf(id), why: () => '' };
