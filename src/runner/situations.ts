import type { Facts } from '#contract/facts.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { rehearsalName } from '#rules/rehearsal.ts';
import { plain } from './file.ts';
import type { Walk } from './actions.ts';

/** A rule of the fault lab: `fault` happens to `of`, once by default. */
export const rule = (
  on: FaultRule['on'],
  of: string,
  fault: { kind: string } & Record<string, string | number>,
  times: FaultRule['times'] = 1,
): FaultRule => ({ on, of, fault, times, probability: 1, seed: 1 }) as FaultRule; // the lab validates every rule

/** An act to establish a situation or to rehearse a scenario; acts are performed in order. */
export type Act =
  /** Walks journeys; each retries failures up to `retries` times. `during` is performed when a state is reached. */
  | { act: 'walk'; journeys: readonly Walk[]; retries?: number; during?: readonly During[] }
  | { act: 'fault'; rule: FaultRule }
  /** Stops all faults. */
  | { act: 'stop' }
  /** Moves the sandbox's clock by this many ms. */
  | { act: 'clock'; move: number };

/** Acts to perform when a journey first reaches a state, before its user continues. */
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

/** The numbers of companies and of the current company's subscriptions that the console has stored. */
export const companiesIn = ({ companies }: Facts): number =>
  companies.filter(({ companyId }) => companyId !== '').length;
export const subscriptionsIn = ({ settings }: Facts): number =>
  (JSON.parse(settings.subscriptions) as unknown[]).length;

/** A minute in ms. */
export const minute = 60_000;

/** A named situation of the sandbox: a new organisation in the state that the name describes. */
interface Situation {
  name: string;
  acts: readonly Act[];
}

const british = withValues('settings', {
  providerCountry: 'GB',
  fileFormatCountry: 'GB',
  acceptLanguage: 'en',
});
const company = withValues('company', { name: rehearsalName });
const onboarded = [british, 'organisation', company, 'accessToken'] as const;
const authorised = [...onboarded, 'subscription', 'authorisation'] as const;
const payable = [...authorised, 'debtor', 'creditor'] as const;

const creditorNames = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Hazel', 'Juniper', 'Larch', 'Maple'];
const creditors = creditorNames.map((name) => withValues('creditor', { 'creditor.name': `${name} Ltd` }));

/** The situations; each is established by the same journeys as a user's. */
export const situations = {
  organised: { name: 'Organisation, no company', acts: [walk(british, 'organisation')] },
  onboarded: { name: 'Company, no subscription', acts: [walk(...onboarded)] },
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
