import { afterPaid } from './afterPaid.ts';
import { lostResponses } from './lostResponses.ts';
import { readings } from './readings.ts';
import { refusals } from './refusals.ts';
import { severalRuns } from './severalRuns.ts';
import { webhooks } from './webhooks.ts';
import type { Scenario } from './scenario.ts';

const works: Scenario = {
  id: 'works',
  title: 'Nothing fails',
  course: 'once',
  faults: [],
  checks: [
    'write-paid',
    'write-key',
    'write-key-form',
    'request-signature',
    'request-nonce',
    'request-token-reused',
    'request-secret-in-output',
  ],
};

const names: Scenario = {
  id: 'names',
  title: "The creditors' names are long, and have letters outside ASCII, an ampersand and an apostrophe",
  course: 'once',
  faults: [],
  foreign: true,
  checks: ['write-paid'],
};

/** The situations, in the order in which they are listed: first the one that shows whether the program runs at all. */
export const scenarios: readonly Scenario[] = [
  works,
  names,
  ...lostResponses,
  ...refusals,
  ...readings,
  ...severalRuns,
  ...webhooks,
  ...afterPaid,
];

/** Returns the ids of the scenarios that are for a check. */
export const scenariosFor = (check: string): string[] =>
  scenarios.filter(({ checks }) => checks.includes(check)).map(({ id }) => id);
