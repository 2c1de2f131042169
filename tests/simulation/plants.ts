import { calls } from '#contract/calls.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { simulate } from './simulate.ts';
import type { Exchange } from './line.ts';
import type { WorldOptions } from './world.ts';

/** A fault that is planted in the console, and the sentence by which it is found. */
interface Planted {
  plant: NonNullable<WorldOptions['plant']>;
  /** The worlds in which it is sought, first those that have found one. */
  seeds: readonly number[];
  found: RegExp;
}

/** Worlds with users of the page. */
const pageSeeds = [3, 18, 38, 8, 13, 23, 28, 33, 43, 48, 53, 58, 63, 68];

/** Worlds with scripts in which payments come back, are held, and webhooks come late. */
const scriptSeeds = [1, 11, 14, 2, 4, 5, 6, 9, 10, 15, 16, 17, 19, 21, 22, 24, 25, 26, 29, 30];

const isFacts = ({ path, status }: Exchange): boolean => path === calls.getFacts.path && status === 200;
const withText = (text: string, from: RegExp, to: string): string => text.replace(from, to);

/** Faults of which each must be found by one of the checks. */
export const plants: Readonly<Record<string, Planted>> = {
  'a record that was confirmed is gone': {
    plant: { forgets: ({ database }) => void database.exec("delete from records where kind = 'batches'") },
    seeds: [1],
    found: /was confirmed to a user, and is not stored/,
  },
  'an answer has a secret': {
    plant: {
      answer: (each, text) =>
        isFacts(each)
          ? withText(text, /"environment":"sandbox"/, `"environment":"${sandboxCredentials.apiKey}"`)
          : text,
    },
    seeds: [1],
    found: /gives .* a secret: apiKey/,
  },
  'a user reads an id of another': {
    plant: {
      answer: (each, text, earlier) => {
        const other = earlier.find(
          ({ workspace, path, status }) =>
            workspace !== each.workspace && status === 200 && path === calls.createOrganisation.path,
        );
        return other && each.path === calls.listMessages.path ? withText(text, /\}$/, `,"other":${other.text}}`) : text;
      },
    },
    seeds: [7, 47, 67, 87, 127],
    found: /^The id .* is read by/m,
  },
  'the facts of before are shown again': {
    plant: {
      answer: (each, text, earlier) => (isFacts(each) ? (earlier.find(isFacts)?.text ?? text) : text),
    },
    seeds: pageSeeds,
    found: /says that something is missing that had been confirmed/,
  },
  'what is unknown is said not to have been sent': {
    plant: { answer: (_, text) => withText(text, /"outcome":"unknown"/, '"outcome":"not-sent"') },
    seeds: pageSeeds,
    found: /was told that .* was not-sent/,
  },
  'a payment that came back is shown as paid': {
    plant: {
      answer: ({ method, path }, text) =>
        method === 'GET' && path.startsWith('/api/batchpayments/')
          ? text.replaceAll(/"status":"returned"/gi, '"status":"Completed"')
          : text,
    },
    seeds: scriptSeeds,
    found: /is Returned, and is shown as Completed/,
  },
  'a payment that was held, and failed, is shown as paid': {
    plant: {
      answer: ({ method, path }, text) =>
        method === 'GET' && path.startsWith('/api/batchpayments/')
          ? text.replaceAll(/"status":"failed"/gi, '"status":"Completed"')
          : text,
    },
    seeds: scriptSeeds,
    found: /is Failed, and is shown as Completed/,
  },
  'a late webhook is not called late': {
    plant: { answer: (_, text) => text.replaceAll(',"late":true', '') },
    seeds: scriptSeeds,
    found: /came late, and is not called so/,
  },
  'the service is said to have lost a company': {
    plant: { answer: (each, text) => (isFacts(each) ? withText(text, /"lost":""/, '"lost":"company"') : text) },
    seeds: pageSeeds,
    found: /says that the service has lost the company/,
  },
};

/** Plants a fault in worlds until it is found. Returns the seed of the world in which it was, and how it was described. */
export async function find({ plant, seeds, found }: Planted): Promise<{ seed: number; sentence: string } | undefined> {
  for (const seed of seeds) {
    const { wrong } = await simulate(seed, { plant });
    const sentence = wrong.find((each) => found.test(each));
    if (sentence !== undefined) return { seed, sentence };
  }
  return undefined;
}
