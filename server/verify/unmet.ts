import type { Evidence, Exercise } from '#server/programs/checks/evidence.ts';
import type { Scenario } from './scenarios/scenario.ts';

type Met = Pick<Evidence, 'calls' | 'runs'>;

const nameOf = ({ of, fault }: Exercise): string =>
  `${fault.kind}${'status' in fault ? ` ${fault.status}` : ''} of ${of === 'any' ? 'any call' : of}`;

/** Whether a rule's fault has met a call of the program; in the run of this index only, if one is given. */
function hasMet({ of, fault }: Exercise, { calls, runs }: Met, index?: number): boolean {
  const run = index === undefined ? undefined : runs[index];
  return calls.some(
    (call) =>
      call.fault === fault.kind &&
      (of === 'any' || call.operation === of) &&
      (!('status' in fault) || fault.status === call.status) &&
      (run === undefined || (call.at >= run.startedAt && call.at <= run.endedAt)),
  );
}

/**
 * Returns the parts of a scenario that did not arise, in words: each fault of a call that met none, or where runs are killed,
 * each kill that did not follow its fault. `of` is the number of all parts. Faults of batches are no parts: batches meet them.
 */
export function unmetIn(
  { course, faults, later = [], atMinuteEnd = false, killedAt }: Scenario,
  met: Met,
): { of: number; unmet: readonly string[] } {
  const ofCalls = [...faults, ...later].filter(({ on }) => on === 'call');
  if (atMinuteEnd && met.runs.length === 0)
    return { of: ofCalls.length, unmet: ['the whole scenario: the keys do not change with the time'] };
  const unmet = ofCalls.flatMap((rule, index) => {
    if (course !== 'killed') return hasMet(rule, met) ? [] : [nameOf(rule)];
    const isKilled = met.runs[index]?.ended === 'killed' && hasMet(rule, met, index);
    return isKilled ? [] : [`the kill after ${nameOf(rule)}`];
  });
  if (killedAt !== 'told') return { of: ofCalls.length, unmet };
  const isTold = met.runs.some(({ ended }) => ended === 'killed');
  return { of: ofCalls.length + 1, unmet: isTold ? unmet : [...unmet, 'the kill after a webhook of a return'] };
}
