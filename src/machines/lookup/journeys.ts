import type { Journey } from '../journey.ts';

export const consumerHealth = {
  id: 'consumerHealth',
  path: '/consumerhealth',
  title: 'ConsumerAPI Health',
  group: 'Misc',
  purpose: 'Asks each service of the consumer API whether it is up. Look here first when every call fails.',
  summary: 'Shows the health of the consumer API with GET /api/consumerapistatus.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

export const messagingHealth = {
  id: 'messagingHealth',
  path: '/messaginghealth',
  title: 'MessagingAPI Health',
  group: 'Misc',
  purpose:
    'Asks each service of the messaging API whether it is up. Debtors, creditors, updates and their webhooks go through it.',
  summary: 'Shows the health of the messaging API with GET /api/consumermessagingapistatus.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

export const translations = {
  id: 'translations',
  path: '/translation',
  title: 'Translations',
  group: 'Misc',
  purpose:
    'Lists the labels, descriptions, examples and error messages of rules in a language. Forms are drawn with these texts.',
  summary: 'Looks up the texts of one rule with GET /api/translation.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

export const bankFiles = {
  id: 'bankFiles',
  path: '/bankfiles',
  title: 'Bank Files',
  group: 'Rules',
  heading: 'Bank file templates',
  purpose: 'The templates of a country, as the service describes them. Paying by file asks for one of them.',
  summary: 'Shows the bank file templates of a country and language with GET /api/fileformats.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

export const providers = {
  id: 'providers',
  path: '/providers',
  title: 'Providers',
  group: 'Rules',
  purpose:
    'The providers of a country with their capabilities and rules. They define the forms of subscriptions, debtors and creditors.',
  summary: 'Shows the provider definitions of a country and language with GET /api/providers.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

const additionalData = {
  id: 'additionalData',
  path: '/additionaldata',
  title: 'Additional Data',
  heading: 'Rule playground',
  purpose: 'Shows the form of a provider’s rules and its request body. Nothing is sent.',
  summary: "Tries a provider's rules: the form, the rules that it breaks and the JSON of the request.",
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = {
  consumerHealth,
  messagingHealth,
  translations,
  bankFiles,
  providers,
  additionalData,
} as const;
