import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventObject } from 'xstate';
import { companyHeader } from '#contract/constants.ts';
import { gateOf, type JourneyContext } from '#machines/lib/gate.ts';
import { hasTag } from '#machines/lib/state.ts';
import { addressOf, type JourneyId } from '#machines/journeys.ts';
import { nextStepFor } from '#machines/unblock.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { selectCompany } from '#tests/support/companies.ts';
import type { Accident, ToCall } from './accidents.ts';
import type { Scene, Seat, Walk, Walked } from './scene.ts';
import { MemoryStorage, openTab } from './tab.ts';
import type { Browser, OpenTab, PageCall, Position, Session, Tab } from './tab.ts';
import type { User, Way } from './user.ts';
import type { World } from './world.ts';

/** The time (ms) in which a page must change while the user waits. */
const patience = 20_000;
/** The same where no response can come. */
const shortPatience = 2000;
/** More steps than any path has. */
const mostActs = 60;
/** The maximum number of retries in one state. */
const mostTries = 4;

/** Retries once, so that an accident planned for later can hit the retry. */
const twice = <T>(doing: () => Promise<T>): Promise<T> => doing().catch(doing);

const placeOf = ({ journey, state }: Position): string => `${journey}/${state}`;
const failureIn = ({ snapshot }: Position) => (snapshot?.context as JourneyContext | undefined)?.failure;

/**
 * Opens the journey of a user, who will walk this way; `userOf` returns the user of a journey to which a gate leads,
 * `openPage` opens a page, by default its program alone.
 */
export async function beginWalk(
  world: World,
  { user, way }: { user: User; way: Way },
  userOf: (id: JourneyId) => User | undefined,
  openPage: OpenTab = openTab,
): Promise<Walk> {
  const home = addressOf(user.journey);
  await world.at(way.at ?? user.at);
  await way.before?.(world);
  const before = await world.api.done('getFacts');
  const ownCompany = before.settings.companyId;
  const madeBefore = new Set(user.made(world));
  const log: string[] = [];
  /** Faults that have occurred: each once for writes, once per tab for reads. */
  const spent = new Set<string>();
  const tabs: Tab[] = [];
  const happened: Accident[] = [];
  let awaited: { what: Accident; state?: string | undefined } | null = null;
  /** Whether the accident is occurring, for example in a second tab. */
  let isOccurring = false;
  /** The state of the latest accident. */
  let where = '';
  let toCall: ToCall | undefined;
  let stopped = '';
  let isElsewhere = false;

  const stateIn = (call: PageCall): string => {
    const [journey, state = ''] = call.step.split('/');
    // Facts are read independently of the journey's calls.
    return journey === user.journey && call.path !== '/api/facts' ? state : '';
  };
  async function happen(what: Accident, state: string): Promise<void> {
    awaited = null;
    happened.push(what);
    where = state;
    log.push(`* ${what.words}`);
    toCall = what.toCall;
    isOccurring = true;
    try {
      await what.happens(scene);
    } finally {
      isOccurring = false;
    }
  }
  /** Forwards a call, changed as the plan says. */
  async function passOn(tab: number, call: PageCall, send: () => Promise<Response>): Promise<Response> {
    const state = stateIn(call);
    const name = call.method === 'GET' ? `${state} in ${tab}` : state;
    const fault = spent.has(name) ? undefined : way.faults?.[state];
    spent.add(name);
    if (fault) log.push(`* ${call.method} ${call.path} is ${fault}`);
    if (fault === 'cut') throw new TypeError('Failed to fetch');
    if (fault === 'lost') await world.lab.set({ on: 'call', of: 'any', fault: { kind: 'answerLost' } });
    if (awaited && state !== '' && (awaited.state ?? state) === state) {
      const { what } = awaited;
      if (!what.during) await happen(what, state);
      else {
        const sent = send();
        sent.catch(() => undefined); // heard below, if anybody is still there
        await happen(what, state);
        return sent;
      }
    }
    const become = toCall;
    toCall = undefined;
    return become ? become(send) : send();
  }
  const local = new MemoryStorage();
  /** Loads an address in the first tab or the second one. */
  async function open(number: 1 | 2, address: string, session?: Session): Promise<Tab> {
    const line: Browser['line'] = (call, send) => passOn(number, call, send);
    const tab = await openPage({ url: world.url, local, ahead: world.ahead, line }, address, session);
    tabs.push(tab);
    return tab;
  }

  const seat: Seat = {
    number: 1,
    tab: await open(1, home),
    notes: { habits: way.habits ?? [], here: new Set(), done: new Set(), before, wanted: {} },
    tries: new Map(),
    acts: 0,
    outdone: false,
  };
  /** A user who loads a page and finds another company makes their own current first. */
  async function comeBack(): Promise<void> {
    if (isElsewhere && ownCompany !== '')
      await twice(async () => {
        const own = (await world.api.done('getFacts')).companies.find(({ companyId }) => companyId === ownCompany);
        await selectCompany(world.api, own!); // it is kept
      });
    isElsewhere = false;
  }
  async function load(place: Seat): Promise<void> {
    const { tab, notes } = place;
    tab.close();
    place.outdone = false;
    notes.here.clear();
    await comeBack();
    place.tab = await open(place.number, tab.address() === '/' ? home : tab.address(), tab.session);
  }
  const scene: Scene = {
    world,
    reload: () => load(seat),
    async backAndForward() {
      seat.notes.here.clear();
      await seat.tab.backAndForward();
    },
    async double() {
      await comeBack();
      const { tab, notes } = seat;
      const session = tab.session.copy();
      const other: Seat = {
        number: 2,
        tab: await open(2, tab.address(), session),
        // A user who has sent something in the first tab checks for it before sending it in the second tab.
        notes: { ...notes, here: new Set(), done: new Set(notes.done.has('write') ? ['write'] : []) },
        tries: new Map(),
        acts: 0,
        outdone: false,
      };
      const place = `${user.journey}/${where}`;
      log.push('  in the second tab:');
      const isThere = () => where === '' || other.tab.been.includes(place);
      while (await goOn(other, isThere));
      seat.outdone = true;
      log.push('  in the first tab:');
    },
    async elsewhere() {
      const { settings, lost } = await twice(() => world.api.done('getFacts'));
      // Records that the accident creates are not the user's.
      if (settings.organisationId === '' || lost !== '') {
        const making = { body: organisationBody, key: randomUUID() };
        const { organisationId } = await twice(() => world.api.done('createOrganisation', making));
        madeBefore.add(organisationId);
        if (ownCompany === '') before.settings.organisationId = organisationId;
      }
      const making = { body: companyBody('Elsewhere'), key: randomUUID() };
      const { companyId } = await twice(() => world.api.done('createCompany', making));
      madeBefore.add(companyId);
      if (ownCompany === '') before.settings.companyId = companyId;
      isElsewhere = true;
    },
  };

  /** Performs the user's next action in a state. Returns false if the user waits. */
  async function act(place: Seat, position: Position): Promise<boolean> {
    const { tab, notes, tries } = place;
    const { snapshot, facts } = position;
    if (!snapshot || !facts) return false;
    if (position.journey !== place.journey) notes.here.clear();
    place.journey = position.journey;
    const own =
      position.journey === '' ? undefined : position.journey === user.journey ? user : userOf(position.journey);
    const does = own?.does[position.state];
    const gate = gateOf(snapshot);
    if (!does && gate) {
      const onward = gate.missing && nextStepFor(gate.missing, facts);
      if (!onward) throw new Error(`The gate ${placeOf(position)} leads nowhere`);
      if (facts.lost !== '') {
        stopped = placeOf(position);
        return true;
      }
      log.push(`  goes to ${onward.journey}`);
      tab.go(addressOf(onward.journey, { then: home }));
      return true;
    }
    const next = await does?.({ snapshot, facts, notes, world, tab });
    // A user who came from a gate is led back to it.
    if (next === undefined || (next === 'leaves' && position.journey !== user.journey)) return false;
    if (next === 'again' || next === 'reloads') {
      log.push('  loads the page again');
      if (next === 'again') await world.settled();
      await load(place);
      if (next === 'again') place.notes.here.add('look');
      return true;
    }
    const event: EventObject = next === 'leaves' ? { type: 'form.cancel' } : next;
    if (hasTag(snapshot, 'failed')) {
      // The second tab may have done what failed here; a retry would create another record.
      if (place.outdone && failureIn(position)?.outcome !== 'unknown') {
        log.push('  looks what the second tab has done');
        await world.settled();
        await load(place);
        return true;
      }
      const tried = (tries.get(placeOf(position)) ?? 0) + 1;
      tries.set(placeOf(position), tried);
      const { code = '', title = '' } = failureIn(position) ?? {};
      if (tried > mostTries) {
        stopped = `${placeOf(position)} (${code}: ${title})`;
        return true;
      }
      // After two retries, or where one cannot help, the user follows the advice: leaves, and comes back.
      if (tried > 2 || (event.type === 'retry' && !snapshot.can(event))) {
        log.push('  leaves, and comes back');
        await load(place);
        return true;
      }
    }
    log.push(`  ${event.type}`);
    tab.press(event);
    return true;
  }

  /** Whether the user waits for a response that the sandbox can no longer send. */
  const isVain = ({ page, state, busy }: Position): boolean =>
    happened.some(({ forgets }) => forgets) && page === 'working' && state !== '' && !busy;

  /** Performs the next action. Returns false once the journey is over or `stop` returns true. */
  async function goOn(place: Seat, stop = () => false): Promise<boolean> {
    let last = '';
    let since = Date.now();
    while (!stop() && stopped === '') {
      const { tab } = place;
      const position = tab.at();
      if (tab.address() === '/') return false;
      const now = `${tabs.indexOf(tab)} ${position.page} ${tab.been.length} ${tab.address()}`;
      // While a second tab is at work, the first one waits for as long as that takes.
      if (isOccurring && place === seat) since = Date.now();
      if (now !== last) {
        [last, since] = [now, Date.now()];
        if (log.at(-1) !== placeOf(position)) log.push(placeOf(position));
      } else if (Date.now() - since > (isVain(position) ? shortPatience : patience)) {
        if (!position.snapshot?.can({ type: 'form.cancel' }))
          throw new Error(`No way leads on from ${placeOf(position)} (${position.page})`);
        stopped = `${placeOf(position)} (waited in vain)`;
      }
      if (position.page === 'broken') throw new Error(`The page is broken in ${placeOf(position)}`);
      if (position.page === 'unavailable') {
        tab.tell({ type: 'retry' });
        await wait(10);
        continue;
      }
      if (position.page === 'returning') {
        log.push('  goes back');
        tab.tell({ type: 'next.accept' });
        continue;
      }
      if (position.busy || position.state === '') await wait(2);
      else if (position.journey === user.journey && awaited?.state === position.state)
        await happen(awaited.what, position.state);
      else if (await act(place, position)) {
        place.acts += 1;
        if (place.acts > mostActs) throw new Error(`There is no end in ${placeOf(position)}`);
        return true;
      } else await wait(4);
    }
    return false;
  }
  async function telling<T>(doing: () => Promise<T>): Promise<T> {
    try {
      return await doing();
    } catch (error) {
      for (const tab of tabs) tab.close();
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${log.join('\n')}`, { cause: error });
    }
  }

  async function finish(): Promise<Walked> {
    while (await goOn(seat));
    await world.settled();
    while (seat.tab.at().reading) await wait(2);
    const { companyKey } = seat.tab.at();
    for (const tab of tabs) tab.close();
    await world.settled(); // what was on its way to the console
    return {
      happened,
      ended: seat.tab.ended,
      before,
      facts: await world.api.done('getFacts', { headers: { [companyHeader]: companyKey || before.companyKey } }),
      made: user.made(world).filter((id) => !madeBefore.has(id)),
      stopped,
      log,
    };
  }

  return {
    happen: (what) => telling(() => happen(what, seat.tab.at().state)),
    await: (what, state) => void (awaited = { what, state }),
    step: () => telling(async () => void (await goOn(seat))),
    finish: () => telling(finish),
  };
}
