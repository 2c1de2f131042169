import {
  checkResult,
  type Check,
  type Evidence,
  type Finding,
  type ProgramRun,
  type SeenDelivery,
  type SeenWebhook,
} from './evidence.ts';
import { programClaims, isMisjudged } from './claims.ts';

/** The maximum time (ms) to answer a webhook. */
const answerTime = 10_000;
/** Time (ms) that a delivery lasts at least if its receiver was reached and sent no answer in time. */
const unanswered = answerTime - 1000;

/** Faults of webhooks that have a check of their own. */
const checked: readonly string[] = [
  'badSignature',
  'alteredBody',
  'oldTimestamp',
  'futureTimestamp',
  'noSignature',
  'unknownType',
  'duplicate',
  'reorder',
  'blanks',
  'escapes',
  'memberOrder',
  'secondSignature',
  'misleading',
];

/** Time (ms) after a delivery in which a program that it ends has ended, with its children. */
const ending = 1000;

const isAccepted = ({ status }: SeenDelivery): boolean => status >= 200 && status < 300;
/** Whether the program received the delivery. Without an answer it does not count: the program may have ended. */
const isReceived = ({ status, ms }: SeenDelivery): boolean => status !== 0 || ms >= unanswered;

const finding = (says: string): Finding => ({ says, calls: [] });

const deliveriesOf = ({ webhooks }: Evidence, fits: (webhook: SeenWebhook) => boolean) =>
  webhooks.filter(fits).flatMap((webhook) => webhook.deliveries.map((delivery) => ({ webhook, delivery })));

const received = (evidence: Evidence, fits: (webhook: SeenWebhook) => boolean) =>
  deliveriesOf(evidence, fits).filter(({ delivery }) => isReceived(delivery));

/**
 * The run that closed the connection of a delivery without an answer, and whether it ended by that: soon, with an error and
 * without a result. Undefined if the program may have ended in this moment for another reason.
 */
function closedBy({ runs }: Evidence, { isClosed, at, ms }: SeenDelivery) {
  const run = runs.find(({ startedAt, endedAt }) => startedAt <= at && at <= endedAt);
  if (!run || !isClosed) return undefined;
  if (run.endedAt > at + ms + ending) return { run, isEnded: false };
  const isCrash = run.ended === 'itself' && run.exitStatus !== 0 && run.result === undefined;
  return isCrash ? { run, isEnded: true } : undefined;
}

const nameOf = ({ type, webhookId }: SeenWebhook): string => `${type} (${webhookId})`;

const statusOf = ({ exitStatus }: ProgramRun): string => (exitStatus === null ? 'a signal' : `status ${exitStatus}`);

const answerOf = ({ status, ms, outcome, isClosed }: SeenDelivery): string =>
  status === 0
    ? isClosed
      ? outcome
      : `no answer within ${Math.round(ms / 1000)} s`
    : `${status} after ${(ms / 1000).toFixed(2)} s`;

/** Judges that the program refuses the webhooks with these faults. */
const refuses =
  (...faults: string[]) =>
  (evidence: Evidence) => {
    const found = deliveriesOf(evidence, ({ fault = '' }) => faults.includes(fault));
    const seen = found.flatMap(({ webhook, delivery }) => {
      if (isAccepted(delivery)) return [finding(`The program accepted ${nameOf(webhook)}: ${answerOf(delivery)}`)];
      const closed = closedBy(evidence, delivery);
      return closed?.isEnded ? [finding(`${nameOf(webhook)} ended the program, with ${statusOf(closed.run)}`)] : [];
    });
    return checkResult(
      found.some(({ delivery }) => delivery.status !== 0),
      seen,
    );
  };

/** Judges that the program answers the webhooks with these faults with 2xx; returns the findings. */
function answers(evidence: Evidence, ...faults: string[]) {
  const found = deliveriesOf(evidence, ({ fault = '' }) => faults.includes(fault)).filter(
    ({ delivery }) => isReceived(delivery) || closedBy(evidence, delivery),
  );
  const seen = found
    .filter(({ delivery }) => !isAccepted(delivery))
    .map(({ webhook, delivery }) => finding(`${nameOf(webhook)}: ${answerOf(delivery)}`));
  return { arose: found.length > 0, seen };
}

/** Judges in addition that the program's result agrees with what is paid. */
const unchanged = (fault: string) => (evidence: Evidence) => {
  const { arose, seen } = answers(evidence, fault);
  const wrong = evidence.works && arose ? programClaims(evidence).filter(isMisjudged) : [];
  return checkResult(arose, [
    ...seen,
    ...wrong.map(({ invoiceId, outcome }) => finding(`Afterwards the program says that ${invoiceId} is ${outcome}`)),
  ]);
};

const verifying =
  'Compute the HMAC-SHA256 of id, timestamp and exact body, joined by dots, with the secret behind whsec_, compare it in constant time';

/** Checks of a program that receives webhooks. */
export const webhookChecks: readonly Check[] = [
  {
    id: 'webhook-answered',
    group: 'Webhooks',
    title: 'A genuine webhook is answered with 2xx within 10 s',
    why: 'The service repeats a webhook that is not accepted, and gives it up after some attempts.',
    mend: 'Verify and store the webhook, answer 200 or 204, and only then work with it.',
    judge(evidence) {
      const found = received(evidence, ({ fault = '' }) => !checked.includes(fault));
      const seen = found
        .filter(({ delivery }) => !isAccepted(delivery) || delivery.ms > answerTime)
        .map(({ webhook, delivery }) => finding(`${nameOf(webhook)}: ${answerOf(delivery)}`));
      return checkResult(found.length > 0, seen);
    },
  },
  {
    id: 'webhook-forged',
    group: 'Webhooks',
    title: 'A webhook with a forged signature, or with none, is refused',
    why: 'Anybody who knows the address can otherwise report payments that were not made.',
    mend: `${verifying}, and answer 401 if none of the signatures matches, also if one has another length.`,
    exercise: { on: 'webhook', of: 'any', fault: { kind: 'badSignature' }, times: 1 },
    judge: refuses('badSignature', 'noSignature'),
  },
  {
    id: 'webhook-altered',
    group: 'Webhooks',
    title: 'A webhook with an altered body is refused',
    why: 'A signature that is not compared with the body of the same request protects nothing.',
    mend: `${verifying}; use the bytes as received, not a body that was parsed and written again.`,
    judge: refuses('alteredBody'),
  },
  {
    id: 'webhook-old',
    group: 'Webhooks',
    title: 'A webhook with a timestamp more than five minutes away is refused',
    why: 'Somebody who has recorded a genuine webhook can otherwise send it again at any time.',
    mend: 'Refuse a webhook whose webhook-timestamp differs from the clock by more than five minutes.',
    exercise: { on: 'webhook', of: 'any', fault: { kind: 'oldTimestamp' }, times: 1 },
    judge: refuses('oldTimestamp', 'futureTimestamp'),
  },
  {
    id: 'webhook-bytes',
    group: 'Webhooks',
    title: 'The signature is compared with the bytes as received',
    why: 'JSON can be written in many ways. A program that writes the body anew before it verifies refuses genuine webhooks.',
    mend: 'Read the raw body, verify it, and only then parse it.',
    judge(evidence) {
      const { arose, seen } = answers(evidence, 'blanks', 'escapes', 'memberOrder');
      return checkResult(arose, seen);
    },
  },
  {
    id: 'webhook-signatures',
    group: 'Webhooks',
    title: 'One right signature of several is enough',
    why: 'While a secret is exchanged, each webhook has two signatures, separated by a blank.',
    mend: 'Split webhook-signature at blanks, and accept the webhook if one of the signatures matches.',
    judge(evidence) {
      const { arose, seen } = answers(evidence, 'secondSignature');
      return checkResult(arose, seen);
    },
  },
  {
    id: 'webhook-hint',
    group: 'Webhooks',
    title: 'The status in a webhook is a hint, not the truth',
    why: 'A webhook can come early, late or about something else. Only the service knows what became of a payment.',
    mend: 'Read the batch when a webhook comes, and report the statuses that the reading shows.',
    judge(evidence) {
      const found = received(evidence, ({ fault }) => fault === 'misleading');
      const wrong = programClaims(evidence).filter((claim) => claim.outcome !== 'unknown' && isMisjudged(claim));
      return checkResult(
        found.length > 0,
        found.length === 0
          ? []
          : wrong.map(({ invoiceId, outcome }) =>
              finding(`The program says that ${invoiceId} is ${outcome}, because a webhook said so`),
            ),
      );
    },
  },
  {
    id: 'webhook-unknown-type',
    group: 'Webhooks',
    title: 'A webhook of an unknown type is acknowledged',
    why: 'The service may add types. A refused webhook is repeated, and can delay the others.',
    mend: 'Answer 2xx to each genuine webhook, and ignore the types that the program does not use.',
    judge(evidence) {
      const { arose, seen } = answers(evidence, 'unknownType');
      return checkResult(arose, seen);
    },
  },
  {
    id: 'webhook-duplicate',
    group: 'Webhooks',
    title: 'A duplicate webhook is answered and changes nothing',
    why: 'The service delivers at least once: the same webhook-id can come several times.',
    mend: 'Remember the values of webhook-id. Answer a known one with 2xx and do nothing else.',
    exercise: { on: 'webhook', of: 'any', fault: { kind: 'duplicate' }, times: 1 },
    judge: unchanged('duplicate'),
  },
  {
    id: 'webhook-order',
    group: 'Webhooks',
    title: 'Webhooks out of order are answered and change nothing',
    why: 'A webhook can arrive after a later one. The status in it is then out of date.',
    mend: 'Use a webhook as a hint: read the batch and believe its status, not that of the webhook.',
    exercise: { on: 'webhook', of: 'batchUpdated', fault: { kind: 'reorder', ms: 10_000 }, times: 1 },
    judge: unchanged('reorder'),
  },
];
