import { setTimeout as wait } from 'node:timers/promises';
import { ChakraProvider } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { act, cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { createActor, type AnyActorRef, type AnyMachineSnapshot, type EventObject } from 'xstate';
import { alerts } from '#contract/alerts.ts';
import { ConsoleProvider } from '#app/console/ConsoleProvider.tsx';
import { storeDraft } from '#app/client/drafts.ts';
import { contextOf, StepView } from '#app/journey/StepView.tsx';
import { system } from '#app/theme/system.ts';
import { gateOf } from '#machines/lib/gate.ts';
import { isUsers } from '../../scripts/charts/origins.ts';
import { hasTag, stateOf } from '#machines/lib/state.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Step } from '#steps/step.ts';
import { NoControl, newUser, type Screen } from './gestures.ts';
import { deferredAgain, release, settled, type Deferred } from './deferredPorts.ts';
import type { Model, Path } from './paths.ts';
import { unexplained } from './unexplained.ts';
import { recordInto, type Stage, type Walk } from './pathsReplay.ts';

/** A journey with everything needed to render it. */
export interface Drawn {
  id: JourneyId;
  model: Model;
  Step: Step;
  screen: Screen;
}

function Page({ id, journey, Step }: { id: JourneyId; journey: AnyActorRef; Step: Step }) {
  const snapshot: AnyMachineSnapshot = useSelector(journey, (now: AnyMachineSnapshot) => now);
  return <StepView id={id} Step={Step} journey={journey} snapshot={snapshot} guided={false} />;
}

/** Whether one of these states is active, by their dotted names, separated by commas. */
const isIn = (snapshot: AnyMachineSnapshot, states: string): boolean =>
  states.split(', ').some((state) => `${stateOf(snapshot)}.`.startsWith(`${state}.`));

const labelOf = (control: Element): string => control.getAttribute('aria-label') ?? control.textContent;

/** Labels that a text tells the user to press, as “Press “Review””, and that no control on the screen has. */
function missingControls(): string[] {
  const named = [...document.body.textContent.matchAll(/\bpress “([^”]+)”/gi)].map(([, label = '']) => label);
  const labels = new Set(
    [...document.querySelectorAll('button, a')].flatMap((each) => [labelOf(each), each.textContent]),
  );
  return named.filter((label) => !labels.has(label));
}

/** What the screen wrongly shows or lacks in a state; '' if nothing. */
function flawOf({ shows }: Screen, snapshot: AnyMachineSnapshot): string {
  const { failure, errors = [] } = contextOf(snapshot);
  const alert = gateOf(snapshot)?.alert;
  const [busy, failed] = [hasTag(snapshot, 'busy'), hasTag(snapshot, 'failed')];
  const drawn = snapshot.hasTag('form') || snapshot.hasTag('list');
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const has = (selector: string, text: string) => texts(selector).some((each) => each.includes(text));
  const step = document.querySelector('[aria-busy]');
  const promises: (readonly [what: string, should: boolean, is: boolean])[] = [
    ['the step', drawn, (step?.childElementCount ?? 0) > 0],
    ['the step at work', drawn && busy, step?.getAttribute('aria-busy') === 'true'],
    ['that work goes on', busy && !snapshot.hasTag('told'), has('[role=status]', 'Working …')],
    ['the failure', failed, has('[role=alert] h2', failure?.title ?? 'nothing has failed')],
    ...Object.values(alerts).map(
      (text) => [`the alert "${text}"`, text === (alert && alerts[alert]), has('[role=alertdialog] h2', text)] as const,
    ),
    ...(drawn ? errors : []).map(
      ({ message }) => [`the error "${message}"`, true, has('[aria-busy]', message)] as const,
    ),
    ...missingControls().map((label) => [`the control “${label}”, which it names`, true, false] as const),
    ...unexplained().map((label) => [`why “${label}” is disabled`, true, false] as const),
    ...Object.entries(shows).map(([state, text]) => [`"${text}"`, isIn(snapshot, state), has('body', text)] as const),
  ];
  return promises
    .flatMap(([what, should, is]) => (should === is ? [] : `the screen ${should ? 'lacks' : 'shows'} ${what}`))
    .join(', ');
}

/** Maximum number of pauses of 50 ms until the screen shows a state. */
const patience = 10;

/** Facts that never arrive, for the console around the screen. */
const unread = () => new Promise<never>(() => undefined);

type Ports = Pick<Deferred, 'answer' | 'refuse' | 'pass'>;

/** The same ports and clock, wrapped so that the page has rendered their effects when they resolve. */
export const drawing = ({ answer, refuse, pass }: Ports): Ports => ({
  answer: (name, output) => act(() => answer(name, output)),
  refuse: (name, problem) => act(() => refuse(name, problem)),
  pass: (ms) => act(() => pass(ms)),
});

/** Opens a journey's screen at the start of a path and records its machine in `walk`. */
export function openScreen({ id, model, Step, screen }: Drawn, { input }: Path, walk: Walk): Stage {
  const ports = deferredAgain(model.machine);
  const user = newUser();
  const received: EventObject[] = [];
  const note = recordInto(walk);
  const { machine: provided, clock } = ports;
  const journey = createActor(provided, {
    input,
    clock,
    inspect: (seen) => {
      note(seen);
      if (seen.type === '@xstate.event' && seen.actorRef === journey && isUsers(model.machine, seen.event.type))
        received.push(seen.event);
    },
  });
  storeDraft(id, journey);
  journey.start();
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter>
          <ConsoleProvider load={unread}>
            <Page id={id} journey={journey} Step={Step} />
          </ConsoleProvider>
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );
  const snapshot = () => journey.getSnapshot() as AnyMachineSnapshot; // of an actor of some machine
  return {
    ...drawing(ports),
    isAsked: ports.isAsked,
    async act(event) {
      const before = snapshot();
      if (event.type === 'facts.arrived') return act(() => (journey.send(event), settled()));
      const gesture = screen.gestures[event.type];
      if (!gesture) throw new Error(`Nobody says how a user makes ${event.type}`);
      try {
        await gesture(user, event, before.context);
      } catch (error) {
        // An event that the machine does not handle now needs no control.
        if (!(error instanceof NoControl) || before.can(event)) throw error;
      }
      await act(settled);
      // What a step loads in advance may be rendered a moment later, once in all.
      for (let tries = 0; tries < patience && flawOf(screen, snapshot()); tries += 1) await act(() => wait(50));
      const made = received.at(-1);
      if (before.can(event) && JSON.stringify(made) !== JSON.stringify(event))
        throw new Error(`The gesture for ${JSON.stringify(event)} makes ${JSON.stringify(made)}`);
    },
    snapshot,
    check() {
      const flaw = flawOf(screen, snapshot());
      if (flaw) throw new Error(flaw);
    },
    close() {
      cleanup();
      journey.stop();
      release(model.machine, ports);
      sessionStorage.clear();
    },
  };
}
