import { createTestModel } from '@xstate/test';
import { createActor, getInitialSnapshot, type SnapshotFrom } from 'xstate';
import { wizardMachine, type Opening, type WizardEvent } from '#machines/wizard.machine.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { everything, factsAfter } from './facts.ts';
import type { Deferred } from './live.ts';
import { sentenceOf } from './paths.ts';
import { statesOf } from './pathsFaults.ts';
import { recordInto, type Stage, type Walk } from './pathsReplay.ts';

export type WizardSnapshot = SnapshotFrom<typeof wizardMachine>;

/** Ways to open a page: directly, from the guided path, and to come back to the page whose gate spoke. */
export const openings = {
  directly: { journey: 'company', guided: false, back: null },
  'from the guided path': { journey: 'company', guided: true, back: null },
  'as the last row of the guided path': { journey: 'batch', guided: true, back: null },
  'to come back to a gate': { journey: 'company', guided: false, back: '/onboardingsubscription' },
  'from the guided path, to come back to a gate': { journey: 'company', guided: true, back: '/onboardingsubscription' },
} as const satisfies Record<string, Opening>;

export type PageOpening = (typeof openings)[keyof typeof openings];

const facts = {
  'the organisation': factsAfter('organisation'),
  'the company': factsAfter('company'),
  everything,
};

const events: WizardEvent[] = [
  ...Object.values(facts).map((arrived) => ({ type: 'facts.arrived' as const, facts: arrived })),
  { type: 'journey.done' },
  { type: 'journey.closed' },
  { type: 'next.accept' },
  { type: 'result.close' },
];

const nameOf = (event: WizardEvent): string =>
  event.type === 'facts.arrived'
    ? `facts with ${Object.entries(facts).find(([, each]) => each === event.facts)?.[0]}`
    : event.type;

/** What the guards read beside the state: the opening never changes, the facts are those that have just arrived. */
const situation = ({ value, context }: WizardSnapshot): string => JSON.stringify([value, context.next]);

export interface WizardPath {
  name: string;
  end: WizardSnapshot;
  /** Events by name, each with the snapshot that it leads to. */
  steps: { name: string; type: WizardEvent['type']; snapshot: WizardSnapshot }[];
  /** Walks the path on a stage, a running wizard by default, and adds to `walk` what happened. Throws where the two part. */
  replay: (walk: Walk, open?: OpenStage) => Promise<void>;
}

/** Begins a path: opens a page, or starts a wizard alone. What its wizard does is added to `walk`. */
export type OpenStage = (opening: PageOpening, walk: Walk) => Omit<Stage, keyof Deferred>;

const startWizard: OpenStage = (input, walk) => {
  const actor = createActor(wizardMachine, { input, inspect: recordInto(walk) });
  actor.start();
  return {
    act: (event) => Promise.resolve(actor.send(event as WizardEvent)), // the paths hold no other events
    snapshot: () => actor.getSnapshot(),
    close: () => actor.stop(),
  };
};

/** Whether a journey can come to `journey.done`; the others show rather than end. */
const canBeDone = (id: JourneyId): boolean => statesOf(models[id].machine).some(({ tags }) => tags.includes('done'));

/**
 * Every path of the wizard from one opening. The wizard is kept free of invocations and delays for the sake of
 * @xstate/test, which accepts no others.
 */
export function wizardPaths(opening: PageOpening, kind: 'shortest' | 'simple' = 'shortest'): WizardPath[] {
  const model = createTestModel(wizardMachine, {
    events,
    filter: (_, { type }) => type !== 'journey.done' || canBeDone(opening.journey),
    fromState: getInitialSnapshot(wizardMachine, opening),
    stopCondition: ({ status }) => status === 'done',
    serializeState: (snapshot, event, before) =>
      kind === 'simple'
        ? situation(snapshot)
        : `${situation(snapshot)} by ${event && nameOf(event)} from ${before && situation(before)}`,
  });
  const paths = kind === 'shortest' ? model.getShortestPaths() : model.getSimplePaths();
  return paths.map((path) => ({
    name: `${sentenceOf(path.state)} after ${path.steps
      .slice(1)
      .map(({ event }) => nameOf(event))
      .join(', ')}`,
    end: path.state,
    steps: path.steps.slice(1).map(({ event, state }) => ({ name: nameOf(event), type: event.type, snapshot: state })),
    replay: async (walk, open = startWizard) => {
      const stage = open(opening, walk);
      const check = (expected: WizardSnapshot) => {
        const snapshot = stage.snapshot() as WizardSnapshot; // each stage runs a wizard
        const [is, should] = [situation(snapshot), situation(expected)];
        if (is !== should) throw new Error(`The wizard is in ${is} and should be in ${should}`);
        stage.check?.();
        snapshot._nodes.forEach(({ id }) => walk.entered.add(id));
      };
      const act = ({ event }: { event: WizardEvent }) => stage.act(event);
      const actions = Object.fromEntries(events.map(({ type }) => [type, act]));
      try {
        await path.test({ states: { '*': check }, events: actions });
      } finally {
        stage.close();
      }
    },
  }));
}
