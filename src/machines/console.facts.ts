import { consoleSetup } from './console.setup.ts';

/** New facts of a state in which they are not being read: as old as those before. */
const known = [{ guard: 'isPartial', target: 'stale', actions: 'assignFacts' }, { actions: 'assignFacts' }] as const;
const readAnew = [{ guard: 'staysHere' }, { target: 'reading' }] as const;

/** The facts: when they are read, and whether the next journey may open with those that are there. */
export const factsRegion = consoleSetup.createStateConfig({
  meta: { description: 'The facts that the journeys’ gates check' },
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
      meta: { description: 'The facts are being read' },
      entry: ['stopAging', 'readFacts'],
      on: {
        // What is being read may be older.
        'facts.known': { target: 'reading', reenter: true },
        'facts.arrived': [
          { guard: 'isPartial', target: 'stale', actions: 'assignFacts' },
          { target: 'fresh', actions: ['assignFacts', 'startAging'] },
        ],
      },
    },
    fresh: {
      meta: { description: 'The next journey opens with these facts' },
      on: {
        'facts.used': { description: 'A journey opens', target: 'used' },
        'facts.aged': { description: 'Ten seconds pass', target: 'stale' },
        'facts.arrived': known,
      },
    },
    used: {
      meta: { description: 'A journey has opened with these facts; the next journey needs newer facts' },
      on: {
        'facts.reused': { description: 'The offered step is accepted', target: 'fresh' },
        'facts.aged': { target: 'stale' },
        'facts.arrived': known,
        'address.changed': readAnew,
      },
    },
    stale: {
      meta: { description: 'These facts are old or incomplete; the next journey needs newer facts' },
      on: { 'facts.arrived': { actions: 'assignFacts' }, 'address.changed': readAnew },
    },
    failed: {
      meta: { description: 'The last reading failed; earlier facts stay' },
      on: {
        'facts.known': 'reading',
        'address.changed': readAnew,
      },
    },
  },
});
