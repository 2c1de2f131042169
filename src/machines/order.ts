import { menuGroups, type Journey } from './journey.ts';

const rank = ({ group }: Journey): number => (group ? menuGroups.indexOf(group) : menuGroups.length);

/**
 * The ids of a registry in topological order: every journey after those recommended before it and those whose result
 * it requires; ties are broken by menu group. Throws if there is a cycle.
 */
export function inOrder<Id extends string>(journeys: Readonly<Record<Id, Journey>>): Id[] {
  const waiting = Object.keys(journeys) as Id[]; // the registry's keys are its ids
  const order: Id[] = [];
  const waitsFor = (id: Id, other: Id): boolean =>
    journeys[id].after.includes(other) || journeys[id].requires.some((need) => journeys[other].provides[0] === need);
  while (waiting.length > 0) {
    const ready = waiting.filter((id) => !waiting.some((other) => waitsFor(id, other)));
    const first = ready.sort((a, b) => rank(journeys[a]) - rank(journeys[b]))[0];
    if (!first) throw new Error(`Journeys wait for each other: ${waiting.join(', ')}`);
    waiting.splice(waiting.indexOf(first), 1);
    order.push(first);
  }
  return order;
}
