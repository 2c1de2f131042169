import type { Facts, Made } from '#contract/facts.ts';
import { alerts } from '#contract/alerts.ts';
import { type Journey, type MenuGroup, menuGroups } from './journey.ts';
import { isRehearsal } from '#rules/rehearsal.ts';
import { requirement, type RequirementId } from './requirements.ts';
import { journeys as batch } from './batch/journeys.ts';
import { journeys as lookup } from './lookup/journeys.ts';
import { journeys as onboarding } from './onboarding/journeys.ts';
import { journeys as party } from './party/journeys.ts';
import { journeys as payment } from './payment/journeys.ts';
import { journeys as settings } from './settings/journeys.ts';
import { journeys as subscription } from './subscription/journeys.ts';

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

/** The journeys by area; machines, steps, effects and tests are grouped by the same names. */
const areas = { settings, lookup, onboarding, subscription, party, payment, batch } as const;

export type Area = keyof typeof areas;
export const areaNames = Object.keys(areas) as readonly Area[]; // its keys are areas

/** The transfer is last in its menu (behaviour, section 2). */
const { transfer, ...payments } = payment;

/** The registry of all journeys by id (behaviour, section 2). */
export const journeys = {
  ...settings,
  ...lookup,
  ...onboarding,
  ...subscription,
  ...party,
  ...payments,
  ...batch,
  transfer,
} as const satisfies Record<string, Journey>;

export type JourneyId = keyof typeof journeys;

export const journeyOf = (id: JourneyId): Journey & { id: JourneyId } => journeys[id];

/** The five phases of the guided path, in order. */
export const phases = ['Set up', 'Identity', 'Data', 'Connect', 'Pay'] as const;
export type Phase = (typeof phases)[number];

const phaseOfGroup: Partial<Record<MenuGroup, Phase>> = {
  Misc: 'Set up',
  Rules: 'Set up',
  'Org/Comp': 'Identity',
  'Acct/DataSet': 'Data',
  Subscriptions: 'Connect',
  'Debtors/Creditors': 'Pay',
  Payments: 'Pay',
};

/** The phase of a row of the guided path: that of its menu group; undefined for other journeys. */
export function phaseOf(id: JourneyId): Phase | undefined {
  const { guided, group } = journeyOf(id);
  return guided && group && phaseOfGroup[group];
}

/** The phase under which the map shows a journey, on the guided path or not. */
export function phaseBeside(id: JourneyId): Phase {
  const { group } = journeyOf(id);
  return (group && phaseOfGroup[group]) ?? 'Set up';
}

/** The journeys of an area, in menu order. */
export const journeysIn = (area: Area): JourneyId[] => Object.keys(areas[area]) as JourneyId[]; // its keys are journeys

/** The menu group of a page that only looks something up; the rule playground, which is not in the menu, is of "Rules". */
export const referenceGroup = (id: JourneyId): MenuGroup | undefined =>
  journeysIn('lookup').includes(id) ? (journeyOf(id).group ?? 'Rules') : undefined;

/** The pages of such a group, in menu order. */
export const pagesOf = (group: MenuGroup): JourneyId[] =>
  (Object.keys(journeys) as JourneyId[]).filter((id) => (journeyOf(id).group ?? referenceGroup(id)) === group); // its keys

/** A journey's name outside its menu group and its page. */
export const nameOf = (id: JourneyId): string => journeyOf(id).name ?? journeyOf(id).title;

/** The short result of a row that is done; '' if it has none. */
export const resultText = (id: JourneyId, facts: Facts): string => journeyOf(id).outcome?.(facts) ?? '';

/** A journey's result and the call that created it; undefined if unknown. */
export function madeBy(id: JourneyId, { made }: Facts): Made | undefined {
  const { resource } = journeyOf(id);
  return resource && made[resource];
}

/** The journey that lists another one's results. */
export function listOf(id: JourneyId): Journey | undefined {
  const { list } = journeyOf(id);
  return list === undefined ? undefined : journeyOf(list as JourneyId); // tests check that it is one
}

/** All journeys, each after those recommended before it and those that provide its requirements. */
export const journeyOrder: readonly JourneyId[] = inOrder(journeys);

/** The unmet requirements of a journey, in the order of its gates; empty if it may start. */
export const blockers = (id: JourneyId, facts: Facts): RequirementId[] =>
  journeyOf(id).requires.filter((need) => !requirement(need).isMet(facts));

/** Whether a requirement is undecided because the service could not be read. */
export const isUnread = (need: RequirementId, { unread }: Facts): boolean => {
  const { reads } = requirement(need);
  return reads !== undefined && unread.includes(reads);
};

/** The current state of a requirement in words; if it could not be read, says so instead of calling it missing. */
export const requirementStatus = (need: RequirementId, facts: Facts): string =>
  isUnread(need, facts) && !requirement(need).isMet(facts)
    ? `This could not be read: ${facts.unreadBecause?.title ?? 'the service did not say why'}`
    : requirement(need).statusText(facts);

/**
 * The reason shown for a blocked journey: the first gate's text (behaviour, section 8), or why the requirement could
 * not be read; undefined if the journey is not blocked.
 */
export function reason(id: JourneyId, facts: Facts): string | undefined {
  const [first] = blockers(id, facts);
  if (first && isUnread(first, facts)) return facts.unreadBecause?.title;
  const alert = first && requirement(first).alert;
  return alert && alerts[alert];
}

/** The journey that provides a requirement. */
export const providing = (need: RequirementId): JourneyId | undefined =>
  journeyOrder.find((id) => journeyOf(id).provides.includes(need));

/** Whether a journey's result exists. */
export function hasResult(id: JourneyId, facts: Facts): boolean {
  const [result] = journeyOf(id).provides;
  if (result === undefined) return false;
  const { isMet: met, done = met } = requirement(result);
  return done(facts);
}

/**
 * The first requirement besides its result that a journey should provide, is not met, and blocks a row of the guided
 * path: for example the language has no providers, or the subscription is suspended. Undefined if there is none.
 */
export const heldUpBy = (id: JourneyId, facts: Facts): RequirementId | undefined =>
  journeyOf(id)
    .provides.slice(1)
    .find(
      (need) =>
        !requirement(need).isMet(facts) &&
        !isUnread(need, facts) &&
        guidedPath(facts).some((row) => journeyOf(row).requires.includes(need)),
    );

/** Whether a journey's result exists and the following journeys can use it (behaviour, section 10.17). */
export const isDone = (id: JourneyId, facts: Facts): boolean =>
  hasResult(id, facts) && heldUpBy(id, facts) === undefined;

/** Whether a journey's result has expired, although all that needed it exists. */
export function isExpired(id: JourneyId, facts: Facts): boolean {
  const [result] = journeyOf(id).provides;
  return result !== undefined && isDone(id, facts) && !requirement(result).isMet(facts);
}

/** Whether the journey itself was done: not one of its alternatives in its place, and without an expired result. */
export const wasDone = (id: JourneyId, facts: Facts): boolean =>
  isDone(id, facts) && !isExpired(id, facts) && (journeyOf(id).ownResult?.(facts) ?? true);

/** Whether the company goes by the network: a rehearsal does not, because a login leaves the page. */
const usesNetwork = ({ settings, companies, companyKey }: Facts): boolean =>
  settings.useNetwork === 'true' && !companies.some((each) => each.companyKey === companyKey && isRehearsal(each));

/**
 * The rows of the guided path in order; the network's rows only while the setting useNetwork is on (behaviour, section
 * 2) and the company is no rehearsal.
 */
export const guidedPath = (facts: Facts): JourneyId[] =>
  journeyOrder.filter((id) => {
    const { guided } = journeyOf(id);
    return guided === 'always' || (guided === 'network' && usesNetwork(facts));
  });

/** Alternatives to a row of the guided path: by bank instead of by form, by file instead of electronically. */
export const alternatives = (id: JourneyId): JourneyId[] =>
  journeyOrder.filter(
    (other) => journeyOf(other).guided === 'alternative' && journeyOf(other).provides[0] === journeyOf(id).provides[0],
  );

/** The first row of the guided path that is not done; undefined if all are. */
export const nextJourney = (facts: Facts): JourneyId | undefined => guidedPath(facts).find((id) => !isDone(id, facts));

/** The row of the guided path after a journey, which need not be a row itself; undefined after the last one. */
export const rowAfter = (id: JourneyId, facts: Facts): JourneyId | undefined =>
  guidedPath(facts).find((row) => journeyOrder.indexOf(row) > journeyOrder.indexOf(id));

/** The journey at a path; like the router, ignores case and trailing slashes. */
export function journeyAt(path: string): JourneyId | undefined {
  const plain = path.toLowerCase().replace(/\/+$/, '');
  return journeyOrder.find((id) => journeyOf(id).path === plain);
}

/**
 * The address of a journey with the parameters of `query` that are not empty; `guided`, `another` and `then` record how it was
 * opened and survive a reload (behaviour, section 10.12).
 */
export function addressOf(
  id: JourneyId,
  options: { guided?: boolean; another?: boolean; then?: string; query?: Readonly<Record<string, string>> } = {},
): string {
  const { guided = false, another = false, then = '', query: others = {} } = options;
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...(guided && { guided: 'true' }),
    ...(another && { another: 'true' }),
    ...(then && { then }),
  }).toString();
  return journeyOf(id).path + (query && `?${query}`);
}
