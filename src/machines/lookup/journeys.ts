import type { Journey } from '../journey.ts';

export const consumerHealth = {
  id: 'consumerHealth',
  path: '/consumerhealth',
  title: 'ConsumerAPI Health',
  group: 'Misc',
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
  summary: 'Shows the provider definitions of a country and language with GET /api/providers.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

const additionalData = {
  id: 'additionalData',
  path: '/additionaldata',
  title: 'Additional Data',
  summary: "Tries a provider's rules: the form they make, which rule fires and the JSON that would be sent.",
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
