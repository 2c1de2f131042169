import type { FaultRule } from '#contract/labShapes.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { plain, type Walk } from './file.ts';

/** A rule of the fault lab: `fault` happens to what is named, once unless told otherwise. */
export const rule = (
  on: FaultRule['on'],
  of: string,
  fault: { kind: string } & Record<string, string | number>,
  times: FaultRule['times'] = 1,
): FaultRule => ({ on, of, fault, times, probability: 1, seed: 1 }) as FaultRule; // the lab checks each rule that it is given

/** What is done, one after the other, to bring a situation about or to rehearse a scenario. */
export type Act =
  /** Walks journeys; failures are tried again `retries` times in each. `during` is done when a state is reached. */
  | { act: 'walk'; journeys: readonly Walk[]; retries?: number; during?: readonly During[] }
  | { act: 'fault'; rule: FaultRule }
  /** Stops all faults. */
  | { act: 'stop' }
  /** Moves the sandbox's clock by so many ms. */
  | { act: 'clock'; move: number };

/** What is done when a journey reaches a state for the first time, before its user goes on. */
export interface During {
  journey: JourneyId;
  state: string;
  acts: readonly Exclude<Act, { act: 'walk' }>[];
}

export const walk = (...journeys: (JourneyId | Walk)[]): Act => ({
  act: 'walk',
  journeys: journeys.map((each) => (typeof each === 'string' ? plain(each) : each)),
});
export const withValues = (journey: JourneyId, values: Walk['values'], choices: Walk['choices'] = {}): Walk => ({
  journey,
  values,
  choices,
});

/** The minute in ms. */
export const minute = 60_000;

/** A named situation of the sandbox: an organisation of its own, with what the name says. */
interface Situation {
  name: string;
  acts: readonly Act[];
}

const british = withValues('settings', {
  providerCountry: 'GB',
  fileFormatCountry: 'GB',
  acceptLanguage: 'en',
  // A login leads away from the page, and none of these situations needs one.
  useNetwork: 'false',
});
const authorised = [british, 'organisation', 'company', 'accessToken', 'subscription', 'authorisation'] as const;
const payable = [...authorised, 'debtor', 'creditor'] as const;

const creditorNames = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Hazel', 'Juniper', 'Larch', 'Maple'];
const creditors = creditorNames.map((name) => withValues('creditor', { 'creditor.name': `${name} Ltd` }));

/** The situations, each made by the same journeys as a user would. */
export const situations = {
  authorised: { name: 'Authorised subscription', acts: [walk(...authorised)] },
  payable: { name: 'One debtor, one creditor, nothing paid', acts: [walk(...payable)] },
  tenCreditors: { name: 'Authorised subscription, ten creditors', acts: [walk(...authorised, 'debtor', ...creditors)] },
  partlyFailed: {
    name: 'Batch partly failed',
    acts: [
      walk(...payable),
      { act: 'fault', rule: rule('batch', 'electronic', { kind: 'failPayment', index: 0, rule: '' }) },
      walk('electronicPayment', withValues('batch', {}, { status: 'PartiallyCompleted' })),
    ],
  },
  tokenAboutToExpire: {
    name: 'Token about to expire',
    acts: [walk(...payable), { act: 'clock', move: 19 * minute }],
  },
} as const satisfies Record<string, Situation>;

export type SituationId = keyof typeof situations;
