import { act, cleanup, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { vi } from 'vitest';
import type { AnyActorRef, EventObject, InspectionEvent } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { keepDraft } from '#app/drafts.ts';
import { resultOf } from '#app/guidedRows.ts';
import { StepHost } from '#app/StepHost.tsx';
import { addressOf, journeyAt, journeyOf, nameOf } from '#machines/journeys.ts';
import { wizardMachine, type WizardContext, type WizardEvent } from '#machines/wizard.machine.ts';
import { viewOf } from '#tests/machines/batch.models.ts';
import { factsAfter } from './facts.ts';
import { newUser, NoControl, press, type Gestures, type User } from './hand.ts';
import { deferred, settled, type Deferred } from './live.ts';
import { failure } from './material.ts';
import { renderPage } from './page.tsx';
import { filled } from './bodies.ts';
import { recordInto } from './pathsReplay.ts';
import { drawing } from './screen.tsx';
import { drawnAs } from './screenTests.tsx';
import type { OpenStage, PageOpening, WizardSnapshot } from './wizardPaths.ts';

type Ports = Pick<Deferred, 'answer' | 'refuse'>;

/** What a user and the service do on the page of a journey. */
interface Play {
  /** Brings the journey to where the user can do something. */
  begin: (ports: Ports) => Promise<void>;
  /** Work that does not bring the journey to its end; the page reads the facts again afterwards. */
  work: (user: User, ports: Ports) => Promise<void>;
  /** Brings the journey to its end. */
  finish?: (user: User, ports: Ports) => Promise<void>;
}

const plays: Record<PageOpening['journey'], Play> = {
  company: {
    async begin({ answer }) {
      // What was typed before a reload; paths.onboarding.test.tsx types it.
      for (const [field, value] of Object.entries(filled('company')))
        keepDraft('company', { type: 'form.change', field, value });
      await answer('loadFacts', factsAfter('organisation'));
    },
    async work(user, { refuse }) {
      await press('Create Company')(user);
      await refuse('submit', failure);
    },
    async finish(user, { answer }) {
      await press('Create Company')(user);
      await answer('submit', { companyId: 'company-1' });
    },
  },
  batch: {
    async begin({ answer }) {
      await answer('findBatch', { batchId: 'batch-1', record: null });
      await answer('readBatch', viewOf('Completed'));
    },
    async work(user, { answer }) {
      await press('Look now')(user);
      await answer('readBatch', viewOf('Completed'));
    },
  },
};

const drawn = { company: await drawnAs('company'), batch: await drawnAs('batch') };

const home = 'Back to the home page';

/** The button by which one goes on or back. */
const offerOf = ({ back, next }: WizardContext, returning: boolean): string => {
  const [to, words] = returning ? [journeyAt(back ?? ''), 'Back to'] : [next, 'Next:'];
  return to ? `${words} ${nameOf(to)}` : '';
};

/** What the page shows and should not, or lacks, in a state of the wizard that was opened at an address; '' if all is well. */
function flawOf({ value, context }: WizardSnapshot, at: string): string {
  const [returning, offering, left] = [value === 'returning', value === 'offering', value === 'leaving'];
  const resting = returning || offering || value === 'complete';
  const place = screen.getByLabelText('address').textContent;
  const statuses = [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
  const shows = (text: string) => statuses.some((status) => status.includes(text));
  const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
  const promises: (readonly [what: string, should: boolean, is: boolean])[] = [
    [`the address ${left ? context.destination : at}`, true, place === (left ? context.destination : at)],
    ['the page of the journey', !left, document.querySelector('[data-wizard]') !== null],
    [`the state ${value}`, !left, document.querySelector(`[data-wizard=${value}]`) !== null],
    ['that it is done', resting, shows('Done')],
    ['what it gave', resting, context.facts !== null && shows(`Done: ${resultOf(context.journey, context.facts)}.`)],
    ['the end of the guided path', value === 'complete', shows('The guided path is complete.')],
    ['the way home', resting, buttons.includes(home)],
    ['an offer to go on', offering, buttons.some((name) => name.startsWith('Next: '))],
    ['a way back', returning, buttons.some((name) => name.startsWith('Back to ') && name !== home)],
    ['what is offered', returning || offering, buttons.includes(offerOf(context, returning))],
  ];
  return promises
    .flatMap(([what, should, is]) => (should === is ? [] : `the page ${should ? 'lacks' : 'shows'} ${what}`))
    .join(', ');
}

/** Calls back with the wizard that the page starts by itself, and with what it does. */
function watch(onSeen: (wizard: AnyActorRef, seen: InspectionEvent) => void) {
  const begin = wizardMachine.getInitialSnapshot.bind(wizardMachine);
  return vi.spyOn(wizardMachine, 'getInitialSnapshot').mockImplementation((scope, input) => {
    scope.system.inspect((seen: InspectionEvent) => onSeen(scope.self, seen));
    return begin(scope, input);
  });
}

/**
 * Opens the page of a journey at the beginning of a path of its wizard: the journey, the facts and the user's presses
 * make the wizard's events.
 */
export const openPage: OpenStage = (opening, walk) => {
  const { model, Step } = drawn[opening.journey];
  const { begin, work, finish } = plays[opening.journey];
  const { machine, clock, ...deferredPorts } = deferred(model.machine);
  const ports = drawing(deferredPorts);
  const user = newUser();

  const readings: ((facts: Facts) => void)[] = [];
  const load = () => new Promise<Facts>((resolve) => readings.push(resolve));

  let wizard: AnyActorRef | undefined;
  let received: EventObject[] = [];
  const note = recordInto(walk);
  const watching = watch((actor, seen) => {
    note(seen);
    if (seen.type !== '@xstate.event') return;
    wizard = actor;
    received.push(seen.event);
  });
  const snapshot = () => wizard?.getSnapshot() as WizardSnapshot; // it has started by now

  const at = addressOf(opening.journey, { guided: opening.guided, then: opening.back ?? '' });
  const live = { machine, clock, input: () => ({ batchId: '' }) };
  renderPage(
    <Routes>
      <Route
        path={journeyOf(opening.journey).path}
        element={<StepHost id={opening.journey} live={live} Step={Step} />}
      />
      <Route path="*" element={null} />
    </Routes>,
    { at, load },
  );
  let begun = false;

  const gestures: Gestures<typeof wizardMachine> = {
    'facts.arrived': async (_, { facts }) => {
      if (readings.length === 0) await work(user, ports);
      // Of readings that overlap the last one counts.
      readings.splice(0).at(-1)?.(structuredClone(facts));
    },
    'journey.done': () => finish?.(user, ports) ?? Promise.reject(new NoControl(`${opening.journey} has no end`)),
    'journey.closed': press('Cancel'),
    'next.accept': (_, __, context) => press(offerOf(context, snapshot().matches('returning')))(user),
    'result.close': press(home),
  };
  return {
    async act(event) {
      if (!begun) await begin(ports);
      begun = true;
      received = [];
      await gestures[event.type as WizardEvent['type']](user, event as never, snapshot().context); // the paths hold no other events
      await act(settled);
      if (JSON.stringify(received) !== JSON.stringify([event]))
        throw new Error(`What is done for ${JSON.stringify(event)} makes ${JSON.stringify(received)}`);
    },
    snapshot,
    check() {
      const flaw = flawOf(snapshot(), at);
      if (flaw) throw new Error(flaw);
    },
    close() {
      watching.mockRestore();
      cleanup();
      sessionStorage.clear();
    },
  };
};
