import type { FaultRule } from '#contract/controlShapes.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { faultTitle } from '#rules/lab.ts';
import { statusOf as knownStatus } from '#contract/status.ts';
import { ended, happened, oneMore, paid, passed, statusOf, unless, type Seen } from './scenarioChecks.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { companiesIn, rule, subscriptionsIn, walk, withValues, type Act, type SituationId } from './situations.ts';

/** The matrix of operations and faults: each combination that is possible is a scenario. */

/** An operation of an integrator's program. */
interface Operation {
  id: string;
  name: string;
  journey: JourneyId;
  /** The call that it makes, and the webhook that answers it; '' for none. */
  call: string;
  webhook: string;
  situation: SituationId;
  /** The journeys between the situation and the operation, and after it. */
  before?: readonly JourneyId[];
  after?: readonly JourneyId[];
  /** What is wrong with the result; [] if the operation has taken effect exactly once. */
  check: (seen: Seen) => string[];
}

const operations = [
  {
    id: 'company',
    name: 'Create company',
    journey: 'company',
    call: 'createCompany',
    webhook: '',
    situation: 'organised',
    check: ({ facts, before }) => oneMore('company', companiesIn(facts), companiesIn(before)),
  },
  {
    id: 'subscription',
    name: 'Subscribe',
    journey: 'subscription',
    call: 'createSubscription',
    webhook: 'subscriptionUpdated',
    situation: 'onboarded',
    check: ({ facts, before }) => oneMore('subscription', subscriptionsIn(facts), subscriptionsIn(before)),
  },
  {
    id: 'authorisation',
    name: 'Authorise',
    journey: 'authorisation',
    call: 'subscription',
    webhook: 'subscriptionUpdated',
    situation: 'onboarded',
    before: ['subscription'],
    check: (seen) =>
      unless(statusOf(seen) === 'Authorised', `The console says that the subscription is ${statusOf(seen)}`),
  },
  {
    id: 'creditor',
    name: 'Create creditor',
    journey: 'creditor',
    call: 'creditorputs',
    webhook: 'creditorputs',
    situation: 'authorised',
    check: ({ facts, before }) => oneMore('creditor', facts.creditors, before.creditors),
  },
  {
    id: 'pay',
    name: 'Pay',
    journey: 'electronicPayment',
    call: 'createBatch',
    webhook: 'batchUpdated',
    situation: 'payable',
    after: ['batch'],
    check: (seen) => [...paid(seen.batches, 1), ...ended(seen, 'batch', 'done')],
  },
  {
    id: 'batch',
    name: 'Follow batch',
    journey: 'batch',
    call: 'batch',
    webhook: 'batchUpdated',
    situation: 'payable',
    before: ['electronicPayment'],
    check: ({ batches, facts }) => [
      ...paid(batches, 1),
      ...unless(
        knownStatus(facts.batchStatus) === 'Completed',
        `The console says that the batch is ${facts.batchStatus}`,
      ),
    ],
  },
] as const satisfies readonly Operation[];

type OperationId = (typeof operations)[number]['id'];

/** A fault that can happen to several operations. */
interface PracticeFault {
  id: string;
  name: string;
  /** How the operation must take it, as a sentence. */
  shows: string;
  /** The rule for an operation; null if it cannot happen to it. */
  rule: (operation: Operation) => FaultRule | null;
  /** Whether the fault is set before the journeys that precede the operation. */
  early?: true;
}

const ofCall = (fault: Parameters<typeof rule>[2]) => (operation: Operation) => rule('call', operation.call, fault);
const ofWebhook = (kind: string) => (operation: Operation) =>
  operation.webhook === '' ? null : rule('webhook', operation.webhook, { kind }, 'always');

/** The faults by the columns of the matrix. A changed rule concerns only operations with a scenario of their own. */
export const practiceFaults = [
  {
    id: 'answerLost',
    name: faultTitle('answerLost'),
    shows: 'The request is resent with the same key and takes effect once.',
    rule: ofCall({ kind: 'answerLost' }),
  },
  {
    id: 'reset',
    name: faultTitle('reset'),
    shows: 'The connection is reset; the request is resent and takes effect once.',
    rule: ofCall({ kind: 'reset' }),
  },
  {
    id: 'tooMany',
    name: faultTitle('tooMany'),
    shows: 'The service refuses the call for a while; the repeat takes effect once.',
    rule: ofCall({ kind: 'tooMany', retryAfter: 1 }),
  },
  {
    id: 'webhookLost',
    name: faultTitle('lose'),
    shows: 'The state is polled; the operation ends without its webhook.',
    // The answer to a creditor comes only by webhook: without it, nobody can know the outcome.
    rule: (operation) => (operation.call === 'creditorputs' ? null : ofWebhook('lose')(operation)),
    early: true,
  },
  {
    id: 'webhookTwice',
    name: faultTitle('duplicate'),
    shows: 'A webhook that arrives twice counts once.',
    rule: ofWebhook('duplicate'),
    early: true,
  },
  { id: 'ruleChanged', name: faultTitle('ruleAdded'), shows: '', rule: () => null },
  {
    id: 'tokenExpired',
    name: faultTitle('expiredToken'),
    shows: 'The console obtains a new token and completes the operation, which takes effect once.',
    rule: ofCall({ kind: 'expiredToken' }),
  },
] as const satisfies readonly PracticeFault[];

/** The combinations for which there is a scenario in the list, by operation and fault. */
const listed: Readonly<Record<string, string>> = {
  'pay answerLost': 'answerLost',
  'pay webhookTwice': 'webhookTwice',
  'pay tokenExpired': 'tokenExpired',
  'batch webhookLost': 'webhookLost',
  'creditor ruleChanged': 'ruleChanged',
};

/** How often a failed journey is retried. */
const retries = 2;

function scenarioOf(operation: Operation, fault: PracticeFault): Scenario | null {
  const known = listed[`${operation.id} ${fault.id}`];
  if (known !== undefined) return scenarios.find(({ id }) => id === known) ?? null;
  const set = fault.rule(operation);
  if (set === null) return null;
  const { id, name, journey, situation, before = [], after = [], check } = operation;
  const first: Act[] = before.length > 0 ? [walk(...before)] : [];
  const fails: Act = { act: 'fault', rule: set };
  return {
    id: `${id}.${fault.id}`,
    name: `${name}: ${fault.name.toLowerCase()}`,
    shows: fault.shows,
    situation,
    acts: [
      ...(fault.early ? [fails, ...first] : [...first, fails]),
      { act: 'walk', journeys: [withValues(journey, {})], retries },
      ...(after.length > 0 ? [walk(...after)] : []),
    ],
    check: (seen) => [...happened(seen), ...ended(seen, journey, 'done'), ...check(seen)],
  };
}

const subscriptionRuleChanged: Scenario = {
  id: 'subscription.ruleChanged',
  name: `Subscribe: ${faultTitle('ruleAdded').toLowerCase()}`,
  shows: 'The service refuses values that the open form accepted, and the page shows why. Without the rule it accepts.',
  situation: 'onboarded',
  acts: [
    {
      act: 'walk',
      journeys: [withValues('subscription', {})],
      retries: 1,
      during: [
        {
          journey: 'subscription',
          state: 'form.editing',
          acts: [
            {
              act: 'fault',
              rule: rule(
                'definition',
                'provider',
                { kind: 'ruleAdded', apiPath: 'Subscriptions', path: 'additionalData.addedByTheLab' },
                'always',
              ),
            },
          ],
        },
        { journey: 'subscription', state: 'form.refused', acts: [{ act: 'stop' }] },
      ],
    },
  ],
  check: (seen) => [
    ...passed(seen, 'subscription', 'form.refused'),
    ...ended(seen, 'subscription', 'done'),
    ...oneMore('subscription', subscriptionsIn(seen.facts), subscriptionsIn(seen.before)),
  ],
};

/** A row of the matrix: the scenario of each fault, in the order of the columns; null where it cannot happen. */
export interface PracticeRow {
  id: OperationId;
  name: string;
  cells: readonly (Scenario | null)[];
}

export const practice: readonly PracticeRow[] = operations.map((operation) => ({
  id: operation.id,
  name: operation.name,
  cells: practiceFaults.map((fault) =>
    operation.id === 'subscription' && fault.id === 'ruleChanged'
      ? subscriptionRuleChanged
      : scenarioOf(operation, fault),
  ),
}));

/** The scenarios of the matrix. */
export const practised: readonly Scenario[] = practice.flatMap(({ cells }) => cells.filter((cell) => cell !== null));

/** The scenario of a cell. Throws if the fault cannot happen to the operation. */
export function scenarioAt(operation: OperationId, fault: (typeof practiceFaults)[number]['id']): Scenario {
  const column = practiceFaults.findIndex(({ id }) => id === fault);
  const scenario = practice.find(({ id }) => id === operation)?.cells[column];
  if (!scenario) throw new Error(`The matrix has no scenario of ${operation} with ${fault}`);
  return scenario;
}
