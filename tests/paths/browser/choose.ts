import { webhookPollInterval } from '#contract/constants.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { stateOf } from '#machines/lib/state.ts';
import { allOf, fewOf, walkedBy } from '#tests/support/coveringPaths.ts';
import { causeOf, isOverdue, named, pathsThrough, type Model, type Path, type Step } from '#tests/support/paths.ts';

/** Answers that never follow upon each other: a service does not take back what it has said. */
const irrevocable: readonly (readonly [string, string])[] = [
  ['gives an authorised row', 'gives a waiting row'],
  // An update is of an authorised subscription, which is decided.
  ['gives a row with a pending update', 'gives a waiting row'],
  ['gives a row with an update that may not have arrived', 'gives a waiting row'],
  // The pending update is the one that is typed: it is found, and nothing is sent.
  ['gives a row with a pending update', 'send gives another one'],
  ['gives a row with a pending update', 'send fails'],
  // Nor does time that has passed, or what only a name that nobody types here brings about.
  ['gives nothing for long', 'gives no outcome'],
  ['send gives an id', 'askOutcome gives a link'],
  ['askOutcome gives a link', 'askOutcome gives no outcome'],
  ['gives an empty list', 'gives a row'],
  ['gives a row', 'gives an empty list'],
  ['gives a list that is gone', 'gives a row'],
  ['gives a list that is gone', 'gives an empty list'],
  // It has been approved.
  ['watch gives Processing', 'gives AwaitingAuthorisation'],
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

const isSettling = ({ event, snapshot }: Step): boolean =>
  event.type === 'facts.arrived' && stateOf(snapshot) === 'review.settled';

/**
 * The steps up to a payment whose batch becomes known, as a page can go them: it reads the facts by itself once the
 * response is lost. Undefined if none of the paths has them.
 */
function settlingIn(paths: readonly Path[]): Path | undefined {
  for (const path of paths) {
    const place = path.steps.findIndex(isSettling);
    const before = path.steps[place - 1];
    if (before && causeOf(before.snapshot.machine, before.event).cause === 'failure')
      return { ...path, steps: path.steps.slice(0, place + 1) };
  }
  return undefined;
}

/**
 * The path as a page can go it: what makes facts arrive in a gate happens elsewhere, so the page is opened with those at
 * once: a gate is the same whatever led to it. So is a payment that is settled, to which `settling` leads. Undefined if
 * facts arrive elsewhere.
 */
function openedBy(path: Path, settling: Path | undefined): Path | undefined {
  const last = path.steps.findLastIndex(({ event }) => event.type === 'facts.arrived');
  const arrived = path.steps[last];
  if (!arrived) return path;
  if (isSettling(arrived))
    return settling && named({ ...settling, steps: [...settling.steps, ...path.steps.slice(last + 1)] });
  const before = [path.start, ...path.steps.slice(0, last).map(({ snapshot }) => snapshot)];
  const gate = before.at(-1);
  const isBetweenGates =
    gate?.hasTag('gate') && arrived.snapshot.hasTag('gate') && stateOf(gate) !== stateOf(arrived.snapshot);
  if (!isBetweenGates && !before.every((snapshot) => snapshot.hasTag('gate'))) return undefined;
  const { facts } = arrived.event as { facts?: unknown }; // of facts.arrived
  return named({
    facts: arrived.name.replace('facts arrive with ', ''),
    input: { ...(path.input as object), facts },
    start: arrived.snapshot,
    steps: path.steps.slice(last + 1),
  });
}

/** The path up to an example that is not offered, as there is none: what is heard without effect has a control elsewhere. */
function offered(path: Path): Path {
  const before = (index: number) => path.steps[index - 1]?.snapshot ?? path.start;
  const first = path.steps.findIndex(({ event }, index) => event.type === 'form.fill' && !before(index).can(event));
  return first < 0 ? path : named({ ...path, steps: path.steps.slice(0, first) });
}

/** A second passes, at least, before a poll answers or a delay is over. */
const takesTime = ({ event }: Step, { machine }: Model): boolean => {
  const { cause, of } = causeOf(machine, event);
  return cause === 'time' || effectsOf(machine)[of]?.declared.polls === true;
};

/** Whether a path awaits a poll that asks less often than each second, which a real browser has no time for. */
const waitsLong = ({ steps }: Path, { machine }: Model): boolean =>
  steps.some(
    ({ event }) => (effectsOf(machine)[causeOf(machine, event).of]?.declared.interval ?? 0) > webhookPollInterval,
  );

/** What a path costs: opening the page, steps, and the seconds that time takes. */
const costOf = ({ steps }: Path, model: Model): number =>
  5 +
  steps.length +
  8 * steps.filter((step) => takesTime(step, model)).length +
  100 * steps.filter(({ event }) => isOverdue(event)).length;

/** Those of the generated paths that are possible at a real service. */
export function possiblePaths(generated: readonly Path[]): Path[] {
  const paths = generated.map(offered);
  const settling = settlingIn(paths);
  return paths
    .flatMap((each) => openedBy(each, settling) ?? [])
    .filter((path) => !isImagined(path) && !contradicts(path));
}

/** As few of the possible paths as together reach and take all that they all do. */
export const everyBranch = async (model: Model): Promise<Path[]> =>
  fewOf(
    (
      await walkedBy(
        model,
        possiblePaths(pathsThrough(model)).filter((path) => !waitsLong(path, model)),
      )
    ).map((each) => ({
      ...each,
      cost: costOf(each.path, model),
    })),
    allOf,
  ).map(({ path }) => path);
