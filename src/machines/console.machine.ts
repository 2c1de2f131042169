import { pressLabel } from '#machines/lib/describe.ts';
import { factsRegion } from './console.facts.ts';
import { pageRegion } from './console.page.ts';
import type { ConsoleEvent } from './console.ts';
import { consoleSetup } from './console.setup.ts';

/** The code of the journey at the address. */
const codeRegion = consoleSetup.createStateConfig({
  description: 'The code of the journey',
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { guard: 'opensJourney', target: '.loading' }, { target: '.none' }],
  },
  states: {
    none: { description: 'No journey is open' },
    loading: {
      description: 'The code is being loaded',
      entry: 'load',
      on: {
        'journey.loaded': {
          description: 'The journey’s code arrives',
          guard: 'isMeant',
          target: 'loaded',
          actions: 'assignCode',
        },
        'journey.broken': {
          description: 'The journey’s code does not arrive',
          guard: 'isMeant',
          target: 'failed',
          actions: 'assignError',
        },
      },
    },
    loaded: { description: 'The journey can be opened' },
    failed: { description: 'The journey’s code could not be loaded' },
  },
});

/**
 * The record that the page shows in place of the step: an earlier one until the user asks for another one, as long as it
 * exists; then the journey's own, once newer facts name it.
 */
const resultRegion = consoleSetup.createStateConfig({
  description: 'The record that is shown in place of the step',
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { target: '.none' }],
    'subscription.switched': '.none',
    'company.switched': [{ guard: 'isOwnSwitch' }, { target: '.none' }],
    'xstate.done.actor.step': { description: 'The journey ends', guard: 'hasSucceeded', target: '.awaited' },
  },
  states: {
    none: {
      description: 'The step was not done before, or the page is not open yet',
      on: {
        'journey.completed': { description: 'The step was done before', guard: 'isRepeatable', target: 'earlier' },
        'facts.arrived': { guard: 'isMadeElsewhere', target: 'meanwhile' },
      },
    },
    earlier: {
      description: 'The earlier result is shown; the step can be started once more',
      on: {
        'another.start': { description: pressLabel('Create another', 'Pay another'), target: 'another' },
        'facts.arrived': { guard: 'hasLost', target: 'gone' },
      },
    },
    gone: {
      description: 'The earlier result is no longer there; the step is shown',
      on: { 'facts.arrived': { guard: 'hasEarlier', target: 'earlier' } },
    },
    meanwhile: {
      description:
        'Another tab or a program has created what the form was to create: asks before creating a second one',
      on: {
        'another.start': 'another',
        'facts.arrived': [{ guard: 'isMadeElsewhere' }, { target: 'another' }],
      },
    },
    another: {
      description: 'The step is shown, for another result',
      on: { 'facts.arrived': { guard: 'isMadeElsewhere', target: 'meanwhile' } },
    },
    awaited: {
      description: 'The journey has ended; its record is not read yet',
      on: { 'facts.arrived': 'own' },
    },
    own: { description: 'The record of the journey that has ended is shown' },
  },
});

/** What effects of the page and the open journey report, and the machine to itself. */
const reports: readonly ConsoleEvent['type'][] = [
  'facts.known' as const,
  'facts.failed' as const,
  'facts.stale' as const,
  'journey.loaded' as const,
  'journey.broken' as const,
  'journey.completed' as const,
  'subscription.switched' as const,
  'company.switched' as const,
];

/**
 * The console: reads the facts, loads the code of the journey at the address, opens it with both, receives its output,
 * and emits `go` to navigate. On the guided path a success stays on the page and offers the next step. A journey opened
 * to provide another page's missing requirement returns to that page. After a journey opened directly, success and
 * Cancel navigate to the root (behaviour, section 2). A journey ends with its company: once calls go out for another
 * one, the home page opens.
 */
export const consoleMachine = consoleSetup.createMachine({
  id: 'console',
  meta: { reports },
  type: 'parallel',
  context: {
    opening: null,
    facts: null,
    readAt: 0,
    failure: null,
    code: null,
    error: null,
    step: null,
    made: null,
    next: null,
  },
  states: { facts: factsRegion, page: pageRegion, code: codeRegion, result: resultRegion },
});
