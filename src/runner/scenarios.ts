import { ended, happened, oneMore, paid, passed, statusOf, unless, type Seen } from './scenarioChecks.ts';
import { minute, rule, walk, withValues, type Act, type During, type SituationId } from './situations.ts';

/** A rehearsal: what goes wrong, and how the console must react. */
export interface Scenario {
  id: string;
  name: string;
  /** One sentence: what the scenario shows. */
  shows: string;
  situation: SituationId;
  acts: readonly Act[];
  /** Returns what the console, or the sandbox, did wrong, in sentences; [] if all is right. */
  check: (seen: Seen) => string[];
}

/** Pays; performs `acts` during the review, and `after` when the payment was refused. */
function pay(
  acts: During['acts'],
  { after = [], retries = 0 }: { after?: During['acts']; retries?: number } = {},
): Act {
  const during = [
    { journey: 'electronicPayment', state: 'review.ready', acts },
    { journey: 'electronicPayment', state: 'review.refused', acts: after },
  ] as const;
  return {
    ...walk('electronicPayment'),
    act: 'walk',
    journeys: [withValues('electronicPayment', {})],
    retries,
    during,
  };
}

const fault = (...given: Parameters<typeof rule>) => ({ act: 'fault', rule: rule(...given) }) as const;

/** The service accepts a payment, but its answer is lost; the payment is retried. */
const unheard = (id: string, name: string, kind: string): Scenario => ({
  id,
  name,
  shows: 'The payment is resent with the same key. It is paid once, and the page leads to the batch.',
  situation: 'payable',
  acts: [pay([fault('call', 'createBatch', { kind })], { retries: 1 }), walk('batch')],
  check: (seen) => [
    ...happened(seen),
    ...paid(seen.batches, 1),
    ...passed(seen, 'electronicPayment', 'review.refused'),
    ...ended(seen, 'electronicPayment', 'done'),
    ...ended(seen, 'batch', 'done'),
  ],
});

/** A failed download is retried through a fresh link. */
const undelivered = (id: string, name: string, kind: string): Scenario => ({
  id,
  name,
  shows: 'The download fails and says so. Retried, it uses a fresh link and delivers the whole file.',
  situation: 'payable',
  acts: [
    walk('filePayment'),
    {
      act: 'walk',
      journeys: [withValues('batch', {})],
      retries: 1,
      during: [{ journey: 'batch', state: 'settled', acts: [fault('call', 'paymentFile', { kind })] }],
    },
  ],
  check: (seen) => {
    const { file = '' } = (seen.walked.at(-1)?.context ?? {}) as { file?: string }; // the batch's context
    return [
      ...happened(seen),
      ...paid(seen.batches, 1),
      ...passed(seen, 'batch', 'undelivered'),
      ...ended(seen, 'batch', 'done'),
      ...unless(file !== '', 'There is no file'),
    ];
  },
});

/** The rehearsals, in the order of their list. */
export const scenarios: readonly Scenario[] = [
  unheard('answerLost', 'The response is lost after paying', 'answerLost'),
  unheard('answerCut', 'The response breaks off after paying', 'truncated'),
  {
    id: 'webhookTwice',
    name: 'Every webhook arrives twice',
    shows: 'A webhook counts once: one creditor is added, and the batch ends once.',
    situation: 'payable',
    acts: [
      fault('webhook', 'any', { kind: 'duplicate' }, 'always'),
      walk(withValues('creditor', { 'creditor.name': 'Twice Ltd' }), 'electronicPayment', 'batch'),
    ],
    check: (seen) => [
      ...happened(seen),
      ...paid(seen.batches, 1),
      ...oneMore('creditor', seen.facts.creditors, seen.before.creditors),
      ...ended(seen, 'creditor', 'done'),
      ...ended(seen, 'batch', 'done'),
    ],
  },
  {
    id: 'webhookLost',
    name: 'No webhook arrives',
    shows: 'The batch is polled until it has ended; its page does not depend on webhooks.',
    situation: 'payable',
    acts: [fault('webhook', 'batchUpdated', { kind: 'lose' }, 'always'), walk('electronicPayment', 'batch')],
    check: (seen) => [...happened(seen), ...paid(seen.batches, 1), ...ended(seen, 'batch', 'done')],
  },
  {
    id: 'consentRevoked',
    name: 'The consent is revoked while paying',
    shows: 'The payment is refused and nothing is paid; the console says that the subscription has ended.',
    situation: 'payable',
    acts: [
      fault('authorisation', 'subscription', { kind: 'approveThenRevoke', ms: 10 * minute }),
      walk('subscription', 'authorisation', 'debtor', 'creditor'),
      pay([{ act: 'clock', move: 10 * minute }]),
    ],
    check: (seen) => [
      ...happened(seen),
      ...paid(seen.batches, 0),
      ...ended(seen, 'electronicPayment', 'failed'),
      ...unless(statusOf(seen) === 'Cancelled', `The console says that the subscription is ${statusOf(seen)}`),
    ],
  },
  {
    id: 'tokenExpired',
    name: 'The token expires mid-way',
    shows: 'The console obtains a new token and completes the payment, which is paid once.',
    situation: 'payable',
    acts: [
      // Causes no fault; counts the requests for a token.
      fault('call', 'accessToken', { kind: 'latency', ms: 0 }, 'always'),
      pay([{ act: 'clock', move: 21 * minute }]),
      walk('batch'),
    ],
    check: (seen) => [
      ...happened(seen),
      ...paid(seen.batches, 1),
      ...ended(seen, 'electronicPayment', 'done'),
      ...ended(seen, 'batch', 'done'),
    ],
  },
  {
    id: 'ruleChanged',
    name: 'The provider changes a rule',
    shows:
      'The provider refuses values that the open form accepted, and the page shows why. Without the new rule it accepts them.',
    situation: 'payable',
    acts: [
      {
        act: 'walk',
        journeys: [withValues('creditor', { 'creditor.name': 'Late Ltd' })],
        retries: 1,
        during: [
          {
            journey: 'creditor',
            state: 'form.editing',
            acts: [
              fault('definition', 'provider', { kind: 'ruleAdded', apiPath: 'Creditors', path: 'added' }, 'always'),
            ],
          },
          { journey: 'creditor', state: 'form.refused', acts: [{ act: 'stop' }] },
        ],
      },
    ],
    check: (seen) => [
      ...passed(seen, 'creditor', 'form.refused'),
      ...ended(seen, 'creditor', 'done'),
      ...oneMore('creditor', seen.facts.creditors, seen.before.creditors),
    ],
  },
  {
    id: 'upstreamDown',
    name: 'The service is down for a minute',
    shows: 'The payment fails and says so. Retried when the service responds, it is paid once.',
    situation: 'payable',
    acts: [
      pay([fault('call', 'any', { kind: 'status', status: 503 }, 'always')], {
        after: [{ act: 'clock', move: minute }, { act: 'stop' }],
        retries: 1,
      }),
      walk('batch'),
    ],
    check: (seen) => [
      ...happened(seen),
      ...paid(seen.batches, 1),
      ...passed(seen, 'electronicPayment', 'review.refused'),
      ...ended(seen, 'electronicPayment', 'done'),
      ...ended(seen, 'batch', 'done'),
    ],
  },
  undelivered('fileLinkDead', 'The file’s link dies while downloading', 'expiredToken'),
  undelivered('fileCut', 'The file breaks off while downloading', 'truncated'),
];
