import { nowhere, replay, type Walk } from '#tests/support/pathsReplay.ts';
import { isPoll } from '#machines/poll.ts';
import { portsOf } from '#machines/port.ts';
import { causeOf, isOverdue, pathsThrough, type Model, type Path, type Step } from '#tests/support/paths.ts';

/** A path, and what happens on it. */
export interface Chosen {
  path: Path;
  walk: Walk;
  cost: number;
}

/** Answers that never follow upon each other: a service does not take back what it has said. */
const irrevocable: readonly (readonly [string, string])[] = [
  ['gives an authorised row', 'gives a waiting row'],
  // Nor does time that has passed, or what only a name that nobody types here brings about.
  ['gives nothing for long', 'gives no outcome'],
  ['putParty gives an id', 'askOutcome gives a link'],
  ['askOutcome gives a link', 'askOutcome gives no outcome'],
  ['gives an empty list', 'gives a row'],
  ['gives a row', 'gives an empty list'],
  ['gives a list that is gone', 'gives a row'],
  ['gives a list that is gone', 'gives an empty list'],
  ['gives Completed', 'gives Processing'],
  ['gives Completed', 'gives PaymentFileAvailable'],
  ['gives PaymentFileAvailable', 'gives Processing'],
  ['gives PaymentFileAvailable', 'gives Completed'],
];

function contradicts({ steps }: Path): boolean {
  const names = steps.map(({ name }) => name);
  const placeOf = (end: string) => names.findIndex((name) => name.endsWith(end));
  return irrevocable.some(([before, after]) => {
    const place = placeOf(before);
    return place >= 0 && names.slice(place).some((name) => name.endsWith(after));
  });
}

/** Only the models name things that are not there. */
const isImagined = ({ steps }: Path): boolean => steps.some(({ event }) => Object.values(event).includes('unknown'));

/**
 * The path as a page can go it: what makes facts arrive in a gate happens elsewhere, so the page is opened with those at
 * once: a gate is the same whatever led to it. Undefined if facts arrive elsewhere.
 */
function openedBy(path: Path): Path | undefined {
  const last = path.steps.findLastIndex(({ event }) => event.type === 'facts.arrived');
  const arrived = path.steps[last];
  if (!arrived) return path;
  const before = [path.start, ...path.steps.slice(0, last).map(({ snapshot }) => snapshot)];
  const gate = before.at(-1);
  const isBetweenGates =
    gate?.hasTag('gate') && arrived.snapshot.hasTag('gate') && gate.value !== arrived.snapshot.value;
  if (!isBetweenGates && !before.every((snapshot) => snapshot.hasTag('gate'))) return undefined;
  const { facts } = arrived.event as { facts?: unknown }; // of facts.arrived
  return {
    ...path,
    facts: arrived.name.replace('facts arrive with ', ''),
    input: { ...(path.input as object), facts },
    start: arrived.snapshot,
    steps: path.steps.slice(last + 1),
  };
}

/** The path up to an example that is not offered, as there is none: what is heard without effect has a control elsewhere. */
function offered(path: Path): Path {
  const before = (index: number) => path.steps[index - 1]?.snapshot ?? path.start;
  const first = path.steps.findIndex(({ event }, index) => event.type === 'form.fill' && !before(index).can(event));
  return first < 0 ? path : { ...path, steps: path.steps.slice(0, first) };
}

/** A second passes, at least, before a poll answers or a delay is over. */
const takesTime = ({ event }: Step, { machine }: Model): boolean => {
  const { kind, of } = causeOf(event);
  return kind === 'delay' || isPoll(portsOf(machine)[of]);
};

/** What a path costs: opening the page, steps, and the seconds that time takes. */
const costOf = ({ steps }: Path, model: Model): number =>
  5 +
  steps.length +
  8 * steps.filter((step) => takesTime(step, model)).length +
  100 * steps.filter(({ event }) => isOverdue(event)).length;

/** Of these a few that together reach and take all that they all do, the cheapest first. */
export function fewOf<T extends { walk: Walk; cost: number }>(possible: readonly T[]): T[] {
  const covered = new Set<string>();
  const newIn = ({ walk }: T) => [...walk.entered, ...walk.taken].filter((each) => !covered.has(each));
  const worth = (each: T) => newIn(each).length / each.cost;
  const chosen: T[] = [];
  for (;;) {
    const best = possible.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    if (worth(best) === 0) return chosen;
    chosen.push(best);
    newIn(best).forEach((each) => covered.add(each));
  }
}

/** A few of the generated paths that together reach and take all that those do which are possible at a real service. */
export async function fewPaths(model: Model): Promise<Chosen[]> {
  const possible: Chosen[] = [];
  for (const path of pathsThrough(model).flatMap((each) => openedBy(offered(each)) ?? [])) {
    if (isImagined(path) || contradicts(path)) continue;
    const walk = nowhere();
    await replay(model, path, walk);
    // What the polls do in them is walked by itself.
    for (const each of [walk.entered, walk.taken])
      each.forEach((name) => name.startsWith(`${model.machine.id}.`) || each.delete(name));
    possible.push({ path, walk, cost: costOf(path, model) });
  }
  return fewOf(possible);
}
