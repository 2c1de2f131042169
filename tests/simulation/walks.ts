import type { EventObject } from 'xstate';
import { companyHeader } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { gateOf, type JourneyContext, type ShownGate } from '#machines/lib/gate.ts';
import { hasTag } from '#machines/lib/state.ts';
import { addressOf, type JourneyId } from '#machines/journeys.ts';
import { nextStepFor } from '#machines/unblock.ts';
import type { Position, Tab } from '#tests/accidents/tab.ts';
import { users } from '#tests/accidents/users.ts';
import type { Notes, User } from '#tests/accidents/user.ts';
import { LineError } from './line.ts';
import type { Browser, Identity } from './page.ts';
import type { World } from './world.ts';

/** The goals that users of a world may have. */
export const wishes = Object.keys(users);
/** The user who knows how to go on in a journey to which a gate leads. */
const userOf = (journey: JourneyId): User | undefined =>
  Object.values(users).find((each) => each.journey === journey && Object.keys(each.does).length > 0);

/** A gate as a user saw it. */
export interface SeenGate {
  by: Identity;
  at: number;
  gate: ShownGate;
  facts: Facts;
}

/** What a page has said about a failure, to a user whose goal began at `since`. */
export interface SeenAlert {
  by: Identity;
  at: number;
  since: number;
  failure: Problem;
}

/** A journey that has ended with success in a page, with its result. */
export interface SeenSuccess {
  by: Identity;
  journey: JourneyId;
  result: unknown;
}

/** What users of pages did and saw. */
export interface Diary {
  /** How often a user decided to make something, by journey; a repetition of what may have failed is no new decision. */
  intended: Map<JourneyId, number>;
  gates: SeenGate[];
  alerts: SeenAlert[];
  successes: SeenSuccess[];
  /** The states that were reached, as `journey/state`. */
  been: Set<string>;
  /** The journeys that are open now, by tab. */
  open: Map<object, JourneyId>;
  /** The accidents that happened while a journey was open. */
  met: Map<JourneyId, Set<string>>;
  /** What is wrong by itself, a sentence each. */
  wrong: string[];
}
export const newDiary = (): Diary => ({
  intended: new Map(),
  gates: [],
  alerts: [],
  successes: [],
  been: new Set(),
  open: new Map(),
  met: new Map(),
  wrong: [],
});

/** Notes an accident of all journeys that are open. */
export function meet({ open, met }: Pick<Diary, 'open' | 'met'>, accident: string): void {
  for (const journey of open.values()) {
    const those = met.get(journey) ?? new Set();
    met.set(journey, those.add(accident));
  }
}

/** Notes the accidents that happen while somebody is at a journey without its page. */
export async function whileOpen(
  { open }: Pick<Diary, 'open'>,
  journey: JourneyId,
  doing: Promise<void>,
): Promise<void> {
  open.set(doing, journey);
  await doing;
  open.delete(doing);
}

/** What a user may do with the page itself, with its probability at each step. */
const habits = { reload: 0.05, backAndForward: 0.03, secondTab: 0.02, switchCompany: 0.015, setSetting: 0.015 };
/** More steps than a goal takes, and the longest time (ms) that a user waits for a page to change. */
const mostActs = 30;
const patience = 90_000;

/** Returns what a call gives; undefined if the line loses it or the console refuses it. */
async function maybe<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof LineError) return undefined;
    throw error;
  }
}

/** Events by which a user decides to make something. */
const decisions: readonly string[] = ['form.submit', 'payment.pay'];
/** Of what something is made: an organisation of nothing, a company of an organisation, a party of a subscription, all else of the company. */
const ownerOf = (journey: JourneyId, { companyKey, settings }: Facts): string =>
  ({
    organisation: '',
    company: settings.organisationId,
    debtor: settings.subscriptionId,
    creditor: settings.subscriptionId,
  })[journey as string] ?? companyKey;

/** Runs one goal of a user, in one tab, with everything that users do besides. Ends when the goal is reached or given up. */
export async function walks(
  world: World,
  browser: Browser,
  { wish, diary, session }: { wish: string; diary: Diary; session?: Parameters<Browser['open']>[1] },
): Promise<void> {
  const { scheduler } = world;
  const { identity, beyond } = browser;
  const { chance, between, pick } = scheduler.of(session ? `${identity.name}, second tab` : identity.name);
  const user = users[wish]!; // one of the wishes
  const home = addressOf(user.journey);
  let before = await maybe(beyond.api.call('getFacts'));
  for (let turn = 0; turn < 5 && !before?.ok; turn += 1) {
    await scheduler.wait(between(100, 5000));
    before = await maybe(beyond.api.call('getFacts'));
  }
  if (!before?.ok) return; // the console is not to be reached, and the user leaves
  const notes: Notes = { habits: [], here: new Set(), done: new Set(), before: before.answer, wanted: {} };
  scheduler.note(`${identity.name} wants to ${wish}`);
  let tab = await browser.open(home, session);
  const tabsApart: Promise<void>[] = [];
  const noted = new Set<Tab['ended'][number]>();
  /** Journeys whose decision has no known end yet, with the owner of what is made. */
  const undecided = new Map<JourneyId, string>();
  let journey: Position['journey'] = '';

  async function reload(): Promise<void> {
    tab.close();
    notes.here.clear();
    tab = await browser.open(tab.address() === '/' ? home : tab.address(), tab.session);
  }
  /** Notes what has ended in a tab. */
  function settleDecisions({ ended }: Tab, { snapshot, journey: open }: Position): void {
    for (const each of ended) {
      undecided.delete(each.journey);
      if (each.type !== 'succeeded' || noted.has(each)) continue;
      noted.add(each);
      diary.successes.push({ by: identity, journey: each.journey, result: each.result });
    }
    const failure = snapshot && (snapshot.context as JourneyContext).failure; // in every journey’s
    if (open !== '' && failure && failure.outcome !== 'unknown') undecided.delete(open);
  }

  /** What a user does with the page itself. Returns whether it was anything. */
  async function habit(position: Position): Promise<boolean> {
    const name = (Object.keys(habits) as (keyof typeof habits)[]).find((each) => chance(habits[each]));
    if (name === undefined) return false;
    scheduler.note(`* ${identity.name}: ${name}`);
    meet(diary, `user ${name}`);
    switch (name) {
      case 'reload':
        await reload();
        return true;
      case 'backAndForward':
        notes.here.clear();
        await tab.backAndForward();
        return true;
      case 'secondTab':
        if (!session && tabsApart.length === 0)
          tabsApart.push(walks(world, browser, { wish, diary, session: tab.session.copy() }));
        return false;
      case 'switchCompany': {
        const companies = position.facts?.companies.filter(({ companyId }) => companyId !== '') ?? [];
        if (companies.length < 2) return false;
        const { companyKey, companyId: value } = pick(companies);
        const headers = { [companyHeader]: companyKey };
        await maybe(beyond.api.call('setSetting', { body: { key: 'companyId', value }, headers }));
        return false;
      }
      case 'setSetting':
        await maybe(beyond.api.call('setSetting', { body: { key: 'acceptLanguage', value: 'en-GB' } }));
        await maybe(beyond.api.call('setSetting', { body: { key: 'acceptLanguage', value: 'en' } }));
        return false;
    }
  }

  /** The user's next action. Returns whether the user has done anything, or `over` at the end. */
  async function act(position: Position): Promise<boolean | 'over'> {
    const { snapshot, facts } = position;
    if (!snapshot || !facts || position.journey === '') return false;
    if (position.journey !== journey) notes.here.clear();
    journey = position.journey;
    const own = journey === user.journey ? user : userOf(journey);
    const does = own?.does[position.state];
    const gate = gateOf(snapshot);
    if (gate) diary.gates.push({ by: identity, at: scheduler.now(), gate, facts });
    if (!does && gate) {
      const onward = gate.missing && nextStepFor(gate.missing, facts);
      if (!onward || chance(0.1)) return 'over';
      tab.go(addressOf(onward.journey, { then: home }));
      return true;
    }
    const next = does && (await maybe(Promise.resolve(does({ snapshot, facts, notes, world: beyond, tab }))));
    if (next === undefined) return false;
    if (next === 'leaves') return journey === user.journey ? 'over' : false;
    if (next === 'again' || next === 'reloads') {
      await reload();
      if (next === 'again') notes.here.add('look');
      return true;
    }
    return press(next, journey, facts);
  }
  function press(event: EventObject, open: JourneyId, facts: Facts): boolean {
    if (!tab.at().snapshot?.can(event)) return false; // it has changed meanwhile
    // Another company or organisation may have become current meanwhile.
    const owner = ownerOf(open, facts);
    if (decisions.includes(event.type) && undecided.get(open) !== owner) {
      undecided.set(open, owner);
      diary.intended.set(open, (diary.intended.get(open) ?? 0) + 1);
    }
    scheduler.note(`${identity.name}: ${event.type} in ${open}`);
    tab.press(event);
    if (chance(0.15) && tab.at().snapshot?.can(event)) {
      scheduler.note(`* ${identity.name} presses twice`);
      meet(diary, 'user pressesTwice');
      tab.press(event);
    }
    return true;
  }

  const begun = scheduler.now();
  let shown: Problem | null = null;
  /** Notes a failure that the page shows now. */
  function noteAlert({ snapshot }: Position): void {
    const isShown = snapshot !== null && hasTag(snapshot, 'failed');
    const failure = isShown ? (snapshot.context as JourneyContext).failure : null; // in every journey’s
    if (failure && failure !== shown) diary.alerts.push({ by: identity, at: scheduler.now(), since: begun, failure });
    shown = failure;
  }

  let last = '';
  let since = begun;
  for (let acts = 0; acts < mostActs;) {
    await scheduler.wait(between(20, 1500));
    const position = tab.at();
    for (const place of tab.been) diary.been.add(place);
    settleDecisions(tab, position);
    noteAlert(position);
    if (position.journey === '') diary.open.delete(notes);
    else diary.open.set(notes, position.journey);
    if (tab.address() === '/') break;
    const now = `${position.page} ${tab.been.length} ${tab.address()}`;
    if (now !== last) [last, since] = [now, scheduler.now()];
    if (position.page === 'broken') {
      diary.wrong.push(`The page of ${identity.name} is broken in ${position.journey}/${position.state}.`);
      break;
    }
    if (position.page === 'unavailable') tab.tell({ type: 'retry' });
    if (position.page === 'returning') tab.tell({ type: 'next.accept' });
    const isTired = scheduler.now() - since > patience;
    if (isTired && chance(0.5)) break;
    if (isTired) {
      since = scheduler.now();
      await reload();
    }
    if (position.page === 'unavailable' || position.page === 'returning' || isTired) {
      acts += 1;
      continue;
    }
    // A user who only reloads gives up too.
    if (await habit(position)) {
      acts += 1;
      continue;
    }
    if (position.busy || position.state === '') continue;
    const done = await act(position);
    if (done === 'over') break;
    if (!done) continue;
    acts += 1;
    const isFailed = position.snapshot !== null && hasTag(position.snapshot, 'failed');
    if (isFailed) await scheduler.wait(between(100, 20_000));
  }
  diary.open.delete(notes);
  await Promise.all(tabsApart);
  tab.close();
}
