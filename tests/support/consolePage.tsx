import { act, cleanup, screen } from '@testing-library/react';
import { Link, Route, Routes, useLocation } from 'react-router-dom';
import { vi } from 'vitest';
import type { AnyActorRef, EventObject, InspectionEvent } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { useSend } from '#app/console/ConsoleProvider.tsx';
import { sessionStore } from '#app/client/storage.ts';
import { ErrorBoundary } from '#app/frame/ErrorBoundary.tsx';
import { importWithRetry } from '#app/client/importWithRetry.ts';
import { doneText } from '#app/frame/guidedRows.ts';
import { StepHost } from '#app/journey/StepHost.tsx';
import type { ConsoleContext, ConsoleEvent } from '#machines/console.ts';
import { addressOf, journeyAt, journeyOf, journeyOrder, madeBy, nameOf } from '#machines/journeys.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { steps } from '#steps/steps.ts';
import { filled } from './bodies.ts';
import {
  elsewhere,
  facts,
  isLater,
  isOffered,
  letFactsAge,
  type ConsoleSnapshot,
  type OpenStage,
} from './consolePaths.ts';
import { newUser, press, type User } from './gestures.ts';
import { deferred, settled, unanswered } from './deferredPorts.ts';
import { renderPage } from './page.tsx';
import { recordInto } from './pathsReplay.ts';
import { expectPrinted } from './consoleOutput.ts';
import { drawing } from './screen.tsx';

/** The label of the button that leads on or back; '' if there is none. */
const offerOf = ({ opening, next }: ConsoleContext, returning: boolean): string => {
  const [to, words] = returning ? [journeyAt(opening?.back ?? ''), 'Back to'] : [next, 'Next:'];
  return to ? `${words} ${nameOf(to)}` : '';
};

/** What the page wrongly shows or lacks in a state of the console opened at an address; '' if nothing. */
function flawOf(snapshot: ConsoleSnapshot, at: string): string {
  const {
    value: { page: value, code, result },
    context,
  } = snapshot;
  const { opening, facts, failure } = context;
  // A journey with a button of its own that leads on is offered by no other.
  const offered = isOffered(snapshot) && !(opening && journeyOf(opening.journey).continues);
  const loaded = code === 'loaded';
  const [returning, offering, showing] = [value === 'returning', value === 'offering', value === 'showing'];
  const resting = returning || offering || value === 'complete';
  const drawn =
    (loaded || value === 'unavailable') &&
    !['home', 'leaving', 'broken'].includes(value) &&
    opening?.journey !== elsewhere.journey;
  const place = screen.getByLabelText('address').textContent;
  const statuses = [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
  const shows = (text: string) => statuses.some((status) => status.includes(text));
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const buttons = texts('button');
  // The title is the record; the line above it ends with what was done.
  const titled = texts('h1, p').some((each) => /(^|· )\w+( \w+)? (created|sent|submitted)$/.test(each));
  const failed = drawn && failure !== null && (value === 'unavailable' || showing);
  const earlierShown = (resting || value === 'working') && ['earlier', 'meanwhile'].includes(result);
  const isTitled =
    drawn && earlierShown && opening !== null && facts !== null && madeBy(opening.journey, facts) !== undefined;
  const promises: (readonly [what: string, should: boolean, is: boolean])[] = [
    [`the address ${at}`, drawn, drawn && place.replace(/[?&]size=50/, '') === at],
    [`the state ${value}`, drawn, document.querySelector(`[data-wizard=${value}]`) !== null],
    ['the step', drawn && context.step !== null, document.querySelector('[data-state]') !== null],
    [
      'what it gave',
      offered || isTitled,
      Boolean(opening && facts) && (titled || shows(`${doneText(opening!.journey, facts!)}.`)),
    ],
    ['the end of the guided path', offered && value === 'complete', shows('The guided path is complete.')],
    ['the way home', resting, resting && ['Close', 'Cancel'].some((way) => buttons.includes(way))],
    ['an offer to go on', offered && offering && offerOf(context, false) !== `Next: ${opening && nameOf(opening.journey)}`, buttons.some((name) => name.startsWith('Next: '))], // prettier-ignore
    ['another one to start', earlierShown, buttons.includes('Create another')],
    ['a way back', returning, buttons.some((name) => name.startsWith('Back to '))],
    ['why the facts are not there', failed, failed && texts('[role=alert] h2').some((each) => each.includes(failure.title))], // prettier-ignore
    ['that it is broken', value === 'broken', texts('h1').some((each) => /^(Loading chunk|Unexpected)/.test(each))],
  ];
  return promises
    .flatMap(([what, should, is]) => (should === is ? [] : `the page ${should ? 'lacks' : 'shows'} ${what}`))
    .join(', ');
}

const switches = ['setSetting', 'createCompany'] as const;

const known = Object.entries(facts);

/** Controls outside the journey's page that mark the facts as stale or follow a link. */
function Beside() {
  const send = useSend();
  const { pathname, search } = useLocation();
  return (
    <>
      <button onClick={() => send({ type: 'facts.stale' })}>facts.stale</button>
      {known.map(([name, facts]) => (
        <button key={name} onClick={() => send({ type: 'facts.known', facts })}>
          {name}
        </button>
      ))}
      <button onClick={() => send({ type: 'subscription.switched' })}>subscription.switched</button>
      {switches.map((by) => (
        <button key={by} onClick={() => send({ type: 'company.switched', by })}>
          {by}
        </button>
      ))}
      <Link to={`${pathname}?${new URLSearchParams([...new URLSearchParams(search), ['size', '50']]).toString()}`}>
        more
      </Link>
      <Link to={journeyOf(elsewhere.journey).path}>another page</Link>
      <Link to="/">home</Link>
    </>
  );
}

function Pages() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary key={pathname} shows="">
      <Routes>
        {journeyOrder.map((id) => (
          <Route key={id} path={journeyOf(id).path} element={<StepHost id={id} Step={steps.company.Step} />} />
        ))}
        <Route path="*" element={null} />
      </Routes>
    </ErrorBoundary>
  );
}

/** Collects a test's pending calls, to be settled in any order. */
function asked<T>() {
  const waiting: { resolve: (value: T) => void; reject: (reason: unknown) => void }[] = [];
  /** Takes the latest pending call; of repeated calls only the last one counts. */
  const last = () => {
    const one = waiting.splice(0).at(-1);
    if (!one) throw new Error('Nothing is asked for');
    return one;
  };
  return {
    ask: () => new Promise<T>((resolve, reject) => waiting.push({ resolve, reject })),
    last,
    /** Waits for the next call and takes it. */
    next: () => vi.waitFor(last, { timeout: 3000 }),
  };
}

const click = (selector: 'button' | 'a', name: string) => async (user: User) => {
  const control = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.textContent === name);
  if (!control) throw new Error(`There is no ${selector} ${name}`);
  await user.click(control);
};

/**
 * Opens a journey's page at the start of a path of the console. The page's calls are answered, and the user's presses
 * cause the console's other events. Every journey's page runs the company's machine.
 */
export const openPage: OpenStage = async (opening, walk) => {
  let doomed = false;
  const { machine, clock, ...deferredPorts } = deferred(
    companyMachine.provide({
      guards: {
        // The journey stands for others, which require less.
        isBlocked: () => false,
        isValid: () => {
          if (doomed) throw new Error('The journey has died');
          return true;
        },
      },
    }),
  );
  const ports = drawing(deferredPorts);
  const user = newUser();
  const [readings, codes] = [asked<Facts>(), asked<{ machine: typeof machine }>()];
  // The input typed before a reload; tests/paths/screens.test.tsx tests the typing itself.
  sessionStore().setItem(`draft:${opening.journey}`, JSON.stringify({ fields: filled('company') }));

  const note = recordInto(walk);
  let running: AnyActorRef | undefined;
  let received: EventObject[] = [];
  let leaving: ConsoleSnapshot | undefined;
  const inspect = (seen: InspectionEvent) => {
    if (seen.actorRef.sessionId !== seen.rootId) return;
    note(seen);
    running = seen.actorRef as AnyActorRef; // the root is an actor
    if (seen.type === '@xstate.event') received.push(seen.event);
    if (seen.type === '@xstate.snapshot' && (seen.snapshot as ConsoleSnapshot).value.page === 'leaving')
      leaving = seen.snapshot as ConsoleSnapshot; // the console's own
  };
  const at = addressOf(opening.journey, { guided: opening.guided, then: opening.back ?? '' });
  renderPage(
    <>
      <Pages />
      <Beside />
    </>,
    {
      at,
      load: readings.ask,
      clock,
      inspect,
      // The code of other journeys never arrives: the paths only navigate to them.
      loadJourney: (id) => (id === opening.journey ? importWithRetry(codes.ask) : unanswered()),
    },
  );
  /** The machine raises these events itself. */
  const nothing = () => undefined;
  /** Answers a pending call and waits until the page has rendered the result. */
  const told = (answer: () => void) => act(() => (answer(), settled()));
  const gestures: { [Type in ConsoleEvent['type']]: (event: Extract<ConsoleEvent, { type: Type }>) => unknown } = {
    'journey.loaded': () => told(() => codes.last().resolve({ machine })),
    'journey.broken': async () => {
      expectPrinted(/^Error: Loading chunk failed/); // React reports what a boundary caught
      await told(() => codes.last().reject(new Error('gone')));
      const again = await codes.next();
      return told(() => again.reject(new Error('gone')));
    },
    'facts.arrived': ({ facts }) => told(() => readings.last().resolve(structuredClone(facts))),
    'facts.failed': ({ failure }: { failure: Problem }) => told(() => readings.last().reject(failure)),
    'facts.known': (event) => click('button', known.find(([, each]) => each === event.facts)![0])(user),
    'facts.stale': () => click('button', 'facts.stale')(user),
    'journey.completed': nothing,
    'company.switched': ({ by }) => click('button', by)(user),
    'subscription.switched': () => click('button', 'subscription.switched')(user),
    'xstate.done.actor.step': async ({ output }) => {
      if (output.type === 'cancelled') return press('Cancel', 'Close')(user);
      await press('Create company')(user);
      await ports.answer('submit', output.result);
    },
    'xstate.error.actor.step': async () => {
      doomed = true;
      expectPrinted(/The journey has died/);
      await press('Create company')(user);
    },
    'another.start': () => press('Create another')(user),
    'next.accept': () => press(offerOf(snapshot().context, snapshot().value.page === 'returning'))(user),
    'result.close': () => press('Close')(user),
    retry: () => press('Try again')(user),
    'address.changed': (event) => {
      if (isLater(event)) letFactsAge();
      const isAnother = event.opening?.journey === elsewhere.journey;
      return click('a', event.opening === null ? 'home' : isAnother ? 'another page' : 'more')(user);
    },
  };
  const snapshot = () => leaving ?? (running?.getSnapshot() as ConsoleSnapshot); // it has started by now

  await act(settled);
  await act(settled);
  return {
    async act(event) {
      received = [];
      await gestures[event.type as ConsoleEvent['type']](event as never); // the paths hold no other events
      await act(settled);
      await act(settled);
      const [made] = received;
      if (made?.type !== event.type)
        throw new Error(`What is done for ${event.type} makes ${JSON.stringify(received)}`);
    },
    snapshot,
    check() {
      const flaw = flawOf(snapshot(), at);
      if (flaw) throw new Error(flaw);
    },
    close() {
      cleanup();
      sessionStorage.clear();
    },
  };
};
