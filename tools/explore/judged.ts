import type { Shown } from './shown.ts';
import type { Held, Truth } from './truth.ts';

/** Statuses in which a batch stays, unless it is returned afterwards. */
const ends: readonly string[] = ['Completed', 'PartiallyCompleted', 'Failed', 'Rejected', 'Cancelled'];

/** What the screen calls paid and is not, or not once, at the service. */
export function wronglyPaid({ batches, paid }: Shown, truth: Truth): string[] {
  return [
    ...batches.flatMap(({ batchId, status }) => {
      const is = truth.batches[batchId];
      if (is === undefined) return [`batch ${batchId} is shown as ${status}, and is not at the service`];
      const ahead = ends.includes(status) && is !== status && is !== 'Returned';
      return ahead ? [`batch ${batchId} is shown as ${status}, and is ${is}`] : [];
    }),
    ...paid.flatMap(({ invoiceId, batchId }) =>
      truth.batches[batchId] === undefined
        ? [`invoice ${invoiceId} is shown as paid in batch ${batchId}, which is not at the service`]
        : [],
    ),
    ...truth.twice.map((invoiceId) => `invoice ${invoiceId} is paid twice, and nobody asked for that`),
  ];
}

/** The ways of a gate that are closed, and gates without a way. */
export function closedWays({ gate }: Shown, { open }: Truth): string[] {
  if (!gate) return [];
  const { title, ways, others } = gate;
  if (ways.length + others === 0) return [`the gate “${title}” names no way`];
  return ways.flatMap((way) => (open.includes(way) ? [] : [`the gate “${title}” leads to ${way}, which is closed`]));
}

/** Where a page contradicts the facts. */
export function contradictions(shown: Shown, { facts, met }: Truth): string[] {
  const { bar, gate, workspace, subscriptionStatus } = shown;
  const differs = (what: string, isShown: string, is: string): string[] =>
    isShown === is ? [] : [`${what} is shown as “${isShown}”, and is “${is}”`];
  return [
    ...Object.entries(bar ?? {}).flatMap(([label, value]) => differs(label, value, facts.bar[label] ?? '')),
    ...(gate && met.includes(gate.title) ? [`the gate says “${gate.title}”, and that is not so`] : []),
    ...(workspace ? differs('the organisation', workspace.organisationId, facts.organisationId) : []),
    ...(workspace
      ? differs('the number of debtors', String(parseInt(workspace.debtors, 10) || 0), String(facts.debtors))
      : []),
    ...(subscriptionStatus ? differs('the subscription', subscriptionStatus, facts.subscriptionStatus) : []),
  ];
}

/** Typed values of which a form that is shown again has others. */
export const lostFrom = (
  before: Record<string, string>,
  now: Record<string, string>,
  fields: readonly string[],
): string[] =>
  Object.entries(before).flatMap(([field, value]) =>
    fields.includes(field) && now[field] !== value ? [`${field} had “${value}”, and has “${now[field] ?? ''}”`] : [],
  );

/** How long a page may say what is no longer so, and how much later than a page the truth is known at the latest, in ms. */
const [lag, delay] = [10_000, 2000];

/** Whether it is known by now what was so when something was seen at this time. */
export const isKnown = (at: number, history: readonly Held[]): boolean => (history.at(-1)?.to ?? 0) > at + delay;

/** What is found wrong with what was seen at a time, whatever was so shortly before and since. */
export function wrongAt(at: number, history: readonly Held[], find: (truth: Truth) => string[]): string[] {
  const [first, ...others] = history.filter(({ to }) => to > at - lag).map(({ truth }) => find(truth));
  return (first ?? []).filter((found) => others.every((each) => each.includes(found)));
}
