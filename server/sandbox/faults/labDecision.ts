import type { ActiveFault, InjectedFault } from '../records/call.ts';
import type { Jobs } from '../store/jobs.ts';

/** The status that a user's decision on the provider's page gives. */
export const decisions = { approve: 'Authorised', reject: 'Rejected', cancel: 'Cancelled', expire: 'Expired' } as const;
/** `Revoked`: cancelled after it was authorised. */
export type Decision = (typeof decisions)[keyof typeof decisions] | 'Revoked';

/**
 * Lets the fault lab decide in place of the user. `decide` carries out a decision; a second one about the same item follows
 * some faults, unless the first was refused with false, because the user has decided before. Returns a function that
 * schedules it.
 */
export function createLabDecision<Item extends object>(
  jobs: Pick<Jobs, 'define'>,
  name: string,
  decide: (item: Item, decision: Decision, how: { isSecond: boolean; injected: InjectedFault }) => Promise<boolean>,
) {
  const job = jobs.define<ActiveFault<'authorisation'> & Item>(name, async (task, attempt) => {
    const { kind, ms } = task.fault;
    const isSecond = attempt === 1;
    const revokes = kind === 'approveThenRevoke';
    const isTwofold = revokes || kind === 'approveTwice';
    const first = isTwofold ? 'Authorised' : decisions[kind];
    const isDone = await decide(task, isSecond && revokes ? 'Revoked' : first, { isSecond, injected: task.injected });
    if (!isDone || !isTwofold || isSecond) return undefined;
    return revokes ? ms : 0;
  });
  return async (item: Item, active: ActiveFault<'authorisation'>): Promise<void> => {
    const { kind, ms } = active.fault;
    await job.add({ ...item, ...active }, kind === 'approveThenRevoke' ? 0 : ms);
  };
}
