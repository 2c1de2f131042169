import { pressLabel } from '#machines/lib/describe.ts';
import { factsRegion } from './console.facts.ts';
import { pageRegion } from './console.page.ts';
import { consoleSetup } from './console.setup.ts';

/** The code of the journey at the address. */
const codeRegion = consoleSetup.createStateConfig({
  meta: { description: 'The code of the journey' },
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { guard: 'opensJourney', target: '.loading' }, { target: '.none' }],
  },
  states: {
    none: { meta: { description: 'No journey is open' } },
    loading: {
      meta: { description: 'The code is being loaded' },
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
    loaded: { meta: { description: 'The journey can be opened' } },
    failed: { meta: { description: 'The journey’s code could not be loaded' } },
  },
});

/**
 * Whether the step was done before: then its result is shown until the user asks for another one, as long as it exists.
 */
const earlierRegion = consoleSetup.createStateConfig({
  meta: { description: 'Whether the step was done before it was opened' },
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { target: '.none' }],
    'subscription.switched': '.none',
    'company.switched': [{ guard: 'isOwnSwitch' }, { target: '.none' }],
  },
  states: {
    none: {
      meta: { description: 'It was not, or the page is not open yet' },
      on: {
        'journey.completed': { description: 'The step was done before', guard: 'isRepeatable', target: 'shown' },
      },
    },
    shown: {
      meta: { description: 'The earlier result is shown; the step can be started once more' },
      on: {
        'another.start': { description: pressLabel('Create another', 'Pay another'), target: 'another' },
        'facts.arrived': { guard: 'hasLost', target: 'gone' },
      },
    },
    gone: {
      meta: { description: 'The earlier result is no longer there; the step is shown' },
      on: { 'facts.arrived': { guard: 'hasAgain', target: 'shown' } },
    },
    another: { meta: { description: 'The step is shown, for another result' } },
  },
});

/**
 * The console: reads the facts, loads the code of the journey at the address, opens it with both, receives its output,
 * and emits `go` to navigate. On the guided path a success stays on the page and offers the next step. A journey opened
 * to provide another page's missing requirement returns to that page. After a journey opened directly, success and
 * Cancel navigate to the root (behaviour, section 2). A journey ends with its company: once calls go out for another
 * one, the home page opens.
 */
export const consoleMachine = consoleSetup.createMachine({
  id: 'console',
  type: 'parallel',
  context: {
    opening: null,
    facts: null,
    failure: null,
    code: null,
    error: null,
    step: null,
    made: null,
    next: null,
  },
  states: { facts: factsRegion, page: pageRegion, code: codeRegion, earlier: earlierRegion },
});
