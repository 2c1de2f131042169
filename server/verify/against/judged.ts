import { checks } from '#server/programs/checks/index.ts';
import { notExercised, type Check, type Exercise } from '#server/programs/checks/evidence.ts';
import { header } from '#server/upstream/wire.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Mapping } from './mapping.ts';

const ofSandbox = 'it is a rule of the protocol that the sandbox speaks';
const needsReturn = 'only the sandbox can have a payment come back';
const needsOutcome = 'it compares what the program says with the outcome, which only the service knows';

/** Checks that need the sandbox, each with the reason. */
const unjudged: Readonly<Record<string, string>> = {
  'request-signature': ofSandbox,
  'request-nonce': ofSandbox,
  'request-members': ofSandbox,
  'request-file-link': ofSandbox,
  'reading-file-link': ofSandbox,
  'reading-unknown-members': needsOutcome,
  'reading-unknown-status': needsOutcome,
  'reading-null-members': needsOutcome,
  'webhook-hint': needsOutcome,
  'write-returned': needsReturn,
  'truth-returned': needsReturn,
};

const of = (prefix: string) => checks.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => id);

/** Returns the checks that cannot be judged at a mapped service, each with the reason. */
export function unjudgedAt({ webhooks, reads, tokens }: Mapping): Readonly<Record<string, string>> {
  const because = (ids: readonly string[], reason: string) => Object.fromEntries(ids.map((id) => [id, reason]));
  return {
    ...(!webhooks && because(of('webhook-'), 'the mapping has no webhooks')),
    ...(webhooks && !webhooks.signature.signs.includes('{timestamp}') && because(['webhook-old'], 'no time is signed')),
    ...(webhooks &&
      webhooks.signature.separator === undefined &&
      because(['webhook-signatures'], 'the mapping has one signature')),
    ...(reads.length === 0 && because(['reading-polls'], 'the mapping has no reads')),
    ...(tokens.length === 0 && because(['request-token-reused'], 'the mapping has no tokens')),
    ...unjudged,
  };
}

/** Returns the checks as they judge a program at a mapped service. */
export function checksAt(mapping: Mapping): Check[] {
  const missing = unjudgedAt(mapping);
  const named = (text: string) => text.replaceAll(header.idempotency, mapping.idempotencyKey);
  return checks.map((check) => ({
    ...check,
    title: named(check.title),
    why: named(check.why),
    mend: named(check.mend),
    ...(missing[check.id] !== undefined && { judge: () => notExercised }),
  }));
}

/** Faults in the words of the sandbox. */
const ownKinds: readonly string[] = ['nullMembers', 'unknownStatus', 'extraMembers'];

const isOfCalls = ({ on, of: place, fault }: Exercise): boolean =>
  on === 'call' && place !== 'paymentFile' && !ownKinds.includes(fault.kind);

/** Returns the scenarios that can be brought about in front of a mapped service. */
export function scenariosAt(mapping: Mapping): readonly Scenario[] {
  const { webhooks, reads, tokens } = mapping;
  const missing = unjudgedAt(mapping);
  return scenarios.flatMap((scenario): Scenario[] => {
    const { faults, webhooks: isOfWebhooks, words, course, misled, byFile, foreign, atMinuteEnd } = scenario;
    if (words || course === 'later' || misled || byFile || foreign || atMinuteEnd || (isOfWebhooks && !webhooks))
      return [];
    // Without a sandbox no batch can be held; its webhooks are sent while the program runs.
    const wanted = isOfWebhooks ? [] : faults;
    const isPossible = wanted.every(isOfCalls) && (wanted.length === faults.length || isOfWebhooks);
    const isMapped = wanted.every(
      ({ of: place }) => (place !== 'batch' || reads.length > 0) && (place !== 'accessToken' || tokens.length > 0),
    );
    if (!isPossible || !isMapped) return [];
    return [{ ...scenario, faults: wanted, checks: scenario.checks.filter((id) => missing[id] === undefined) }];
  });
}
