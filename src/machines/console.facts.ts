import { consoleSetup } from './console.setup.ts';

/** The facts: when they are read, and whether the next journey may open with those that are there. */
export const factsRegion = consoleSetup.createStateConfig({
  description: 'The facts that the journeys’ gates check',
  initial: 'reading',
  on: {
    'facts.stale': { description: 'The facts may have changed', target: '.reading' },
    'facts.failed': { description: 'The facts do not arrive', target: '.failed', actions: 'assignFailure' },
    'subscription.switched': '.reading',
    // A journey that creates a company ends with it, and then the facts are read.
    'company.switched': [{ guard: 'createsIt' }, '.reading'],
    'xstate.done.actor.step': [{ description: 'The journey ends', guard: 'wasLeft' }, '.reading'],
    retry: { guard: 'canHelp', target: '.reading' },
    'facts.known': { description: 'The journey knows the facts after its change', actions: 'raiseArrived' },
  },
  states: {
    reading: {
      description: 'The facts are being read',
      entry: 'readFacts',
      on: {
        // What is being read may be older.
        'facts.known': { target: 'reading', reenter: true },
        'facts.arrived': { target: 'known', actions: ['assignFacts', 'noteTime'] },
      },
    },
    known: {
      description: 'The journeys open with these facts, unless they are old or incomplete, or something is missing',
      on: {
        'facts.arrived': { actions: 'assignFacts' },
        'address.changed': [
          { guard: 'staysHere' },
          { guard: 'isPartial', target: 'reading' },
          { guard: 'mayHaveChanged', target: 'reading' },
        ],
      },
    },
    failed: {
      description: 'The last reading failed; earlier facts stay',
      on: {
        'facts.known': 'reading',
        'address.changed': [{ guard: 'staysHere' }, { target: 'reading' }],
      },
    },
  },
});
