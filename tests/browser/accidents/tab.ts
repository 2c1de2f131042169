import type { Page, Route } from 'playwright-core';
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, EventObject, StateValue } from 'xstate';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { isProblem } from '#contract/isProblem.ts';
import { journeyAt, type JourneyId } from '#machines/journeys.ts';
import { invokedMachines } from '#machines/lib/effect.ts';
import { hasTag } from '#machines/lib/state.ts';
import type { Browser, OpenTab, Session, Tab } from '#tests/accidents/tab.ts';
import { models } from '#tests/machines/models.ts';
import { gestureOf } from '#tests/paths/browser/gestures.ts';
import { watch, type Seen } from '#tests/paths/browser/seen.ts';
import { blank } from '../visit.ts';
import { hurry } from './hurry.ts';

/** What a screen shows only in words, as the calls of its page have brought it. */
interface Known {
  facts: Facts | null;
  /** The company that the page acts for. */
  companyKey: string;
  /** Calls for facts under way. */
  reading: number;
  /** The data of the latest answers, by the first part of the path. */
  answers: Record<string, unknown>;
  failure: unknown;
}

interface Watched {
  page: Page;
  seen: Seen;
  known: Known;
  heard: (state: string) => void;
}

/** Session storage stays with its page. */
class PageSession implements Session {
  readonly of: Watched | undefined;
  readonly from: Watched | undefined;
  constructor(of?: Watched, from?: Watched) {
    [this.of, this.from] = [of, from];
  }
  getItem = (): string | null => null; // nobody leaves the console here
  copy = () => new PageSession(undefined, this.of);
}

const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** Headers that are of one connection. */
const ofConnection = /^(:.*|host|connection|keep-alive|transfer-encoding|content-(encoding|length)|accept-encoding)$/;
const passedOn = (headers: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...headers].filter(([name]) => !ofConnection.test(name)));

/** Passes a call of the page on by `line`, and notes what it brings. */
async function pass(route: Route, line: Browser['line'], known: Known): Promise<void> {
  const request = route.request();
  const { pathname: path } = new URL(request.url());
  const method = request.method();
  const headers = passedOn(Object.entries(await request.allHeaders()));
  const isFacts = path === '/api/facts';
  if (isFacts) known.reading += 1;
  try {
    const answer = await line({ method, path, step: headers[stepHeader.toLowerCase()] ?? '' }, () =>
      fetch(request.url(), { method, headers, body: request.postData() }),
    );
    known.companyKey = answer.headers.get(companyHeader) ?? known.companyKey;
    const text = await answer.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: unknown };
    if (isFacts && answer.ok) known.facts = body as Facts; // the console's own answer
    if (answer.ok) known.answers[path.split('/')[2] ?? ''] = body.data;
    else if (isProblem(body)) known.failure = body;
    await route.fulfill({ status: answer.status, headers: passedOn(answer.headers), body: text });
  } catch {
    known.failure = {
      code: 'console-unreachable',
      title: 'No response',
      ...(method !== 'GET' && { outcome: 'unknown' }),
    };
    await route.abort('failed').catch(() => undefined); // the page may be gone
  } finally {
    if (isFacts) known.reading -= 1;
  }
}

/**
 * The value of a state by its dotted names, and the state of the machine that it invokes; '' for none. The names of the
 * innermost one are that machine's.
 */
function valueOf(node: AnyStateNode, [name = '', ...names]: readonly string[]): { value: StateValue; within: string } {
  const inner = node.states[name];
  if (!inner || names.length === 0) return { value: name, within: '' };
  if (Object.keys(inner.states).length === 0) return { value: name, within: names.join('.') };
  const { value, within } = valueOf(inner, names);
  return { value: { [name]: value }, within };
}

/** The machine that a journey invokes, in that state, as far as a user can know. */
function invokedBy(machine: AnyStateMachine, state: string, context: object): AnyMachineSnapshot | null {
  const invoked = Object.values(invokedMachines(machine)).find(({ states }) => state in states);
  return invoked ? (invoked.resolveState({ value: state, context }) as AnyMachineSnapshot) : null; // of that machine
}

/** The machine in that state, as far as a user can know. */
function snapshotOf(journey: JourneyId, state: string, { facts, failure, answers }: Known): AnyMachineSnapshot {
  const { messages: outcome } = answers;
  const message = Array.isArray(outcome)
    ? {}
    : { outcome, messageId: (outcome as { messageId?: string } | undefined)?.messageId };
  const { machine } = models[journey];
  const { value, within } = valueOf(machine.root, state.split('.'));
  const context = {
    facts,
    failure,
    pending: [],
    invoices: answers['invoices'] ?? [],
    prepared: answers['paymentattempts'] ?? null,
    ...message,
    invoked: within === '' ? null : invokedBy(machine, within, { failure, ...message }),
  };
  return machine.resolveState({ value, context }) as AnyMachineSnapshot; // of that machine
}

/** A tab in which nothing has been opened yet. */
function tabOn(watched: Watched, ahead: Browser['ahead']): Tab {
  const { page, seen, known } = watched;
  const been: string[] = [];
  const ended: Tab['ended'][number][] = [];
  let acting = 0;
  let failed: Error | undefined;
  let day = ahead();
  let journeyNow: JourneyId | '' = '';
  /** Whether the user has left the journey. */
  let left = false;
  watched.heard = (state) => {
    been.push(`${seen.now.journey}/${state}`);
  };

  /** What the page shows of it is told before it resolves. */
  const shown = () =>
    page
      .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
      .catch(() => undefined); // a page that goes shows nothing

  function run(act: () => Promise<unknown>): void {
    if (acting > 0) return;
    acting += 1;
    act()
      .then(shown, (error: unknown) => (failed = new Error(`The page does not take it`, { cause: error })))
      .finally(() => (acting -= 1));
  }
  const clicked = (role: 'button' | 'link', name: RegExp) => page.getByRole(role, { name }).first().click();

  return {
    at() {
      if (failed) throw failed;
      if (day !== ahead()) {
        day = ahead();
        run(() => page.evaluate((ms) => localStorage.setItem('ahead', String(ms)), day));
      }
      const journey = journeyAt(pathOf(page)) ?? '';
      // A page that leads on by itself has said that it is done.
      if (journeyNow !== '' && pathOf(page) === '/' && !left)
        ended.push({ journey: journeyNow, type: 'succeeded', result: null });
      journeyNow = journey;
      const isHere = seen.now.journey === journey;
      const state = isHere ? seen.now.state : '';
      const snapshot = journey !== '' && state !== '' ? snapshotOf(journey, state, known) : null;
      return {
        journey,
        state,
        snapshot,
        page: isHere ? seen.now.wizard : '',
        busy: acting > 0 || (snapshot !== null && hasTag(snapshot, 'busy') && !hasTag(snapshot, 'told')),
        facts: known.facts,
        companyKey: known.companyKey,
        reading: known.reading > 0,
      };
    },
    press(event: EventObject) {
      const { journey, snapshot } = this.at();
      if (journey === '' || !snapshot) throw new Error(`${event.type} is pressed nowhere`);
      left = event.type === 'form.cancel';
      run(async () => {
        const { act } = gestureOf(page, journey, { name: event.type, event, snapshot });
        if (event.type !== 'invoices.tick') return act();
        const { ids } = event as { ids?: readonly string[] } & EventObject; // of that event
        await page.getByRole('checkbox', { name: `Pay invoice ${ids?.join()}` }).setChecked(true, { force: true });
      });
    },
    tell: ({ type }) =>
      run(() =>
        type === 'retry'
          ? clicked('button', /^(Try again|Resend with the same key)$/)
          : clicked('button', /^(Next:|Back to )/),
      ),
    address: () => new URL(page.url()).pathname + new URL(page.url()).search,
    go: (to) => run(() => page.locator(`a[href="${to}"]`).first().click()),
    been,
    ended,
    session: new PageSession(watched),
    async backAndForward() {
      seen.forget();
      await page.goBack();
      await page.goForward({ waitUntil: 'commit' });
    },
    close: () => void (watched.heard = () => undefined),
  };
}

/** Opens tabs beside this page, which is the first one of each walk; `leave` ends what they do. */
export async function tabsIn(first: Page): Promise<{ openTab: OpenTab; leave: () => Promise<void> }> {
  const context = first.context();
  const all: Watched[] = [];
  let line: Browser['line'];

  async function watched(page: Page): Promise<Watched> {
    const known: Known = { facts: null, companyKey: '', reading: 0, answers: {}, failure: null };
    const made: Watched = {
      page,
      known,
      heard: () => undefined,
      seen: await watch(page, false, (state) => made.heard(state)),
    };
    await page.route(/\/api(-msg-v1)?\//, (route) =>
      // Streams, and what a page reads beside its journey.
      /\/events$|\/(timeline|lab)/.test(new URL(route.request().url()).pathname)
        ? route.continue()
        : pass(route, line, known),
    );
    all.push(made);
    return made;
  }

  await context.addInitScript(hurry);
  await watched(first);

  async function openTab(browser: Browser, address: string, session?: Session): Promise<Tab> {
    ({ line } = browser);
    const { of, from } = (session ?? new PageSession()) as PageSession; // given back by tabs of this kind
    const own = of ?? (from ? await watched(await context.newPage()) : all[0]!); // the first is watched
    if (from) {
      const kept = await from.page.evaluate(() => Object.entries<string>({ ...sessionStorage }));
      await own.page.goto(blank);
      await own.page.evaluate(
        (entries) => entries.forEach(([name, value]) => sessionStorage.setItem(name, value)),
        kept,
      );
    }
    Object.assign(own.known, { facts: null, companyKey: '', answers: {}, failure: null });
    const tab = tabOn(own, browser.ahead);
    if (!of) await own.page.evaluate((ms) => localStorage.setItem('ahead', String(ms)), browser.ahead());
    own.seen.forget();
    await own.page.goto(address, { waitUntil: 'commit' });
    return tab;
  }

  return {
    openTab,
    async leave() {
      await Promise.all(all.splice(1).map(({ page }) => page.close()));
      await first.goto(blank);
      await first.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    },
  };
}
