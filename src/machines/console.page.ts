import { pressLabel } from '#machines/lib/describe.ts';
import { consoleSetup } from './console.setup.ts';

const closed = { target: 'leaving', actions: 'goHome' } as const;
/** The journey has ended without a result. */
const leftAlone = { description: 'The journey ends', guard: 'wasLeft', target: 'leaving', actions: 'goHome' } as const;

/** The user has gone on to the next step, or to the root after the last one. */
const goesOn = { guard: 'goesOn', target: 'leaving', actions: ['keepMade', 'goNext'] } as const;

const offered = { guard: 'offers', target: 'offering', actions: 'passOnToStep' } as const;

/** Transitions of the page on new facts, for each state that receives them; `rest` is the default branch. */
const arrived = <Rest extends object>(rest: Rest) => [
  offered,
  { guard: 'completes' as const, target: 'complete' as const, actions: 'passOnToStep' as const },
  { ...rest, actions: 'passOnToStep' as const },
];

/** Once the step is done, the journey may continue and create more. */
const continues = arrived({ target: 'working' as const });
const endsAgain = [leftAlone, goesOn, { actions: 'keepMade' }] as const;

/** The page: opens the journey at the address, and offers what follows its end. */
export const pageRegion = consoleSetup.createStateConfig({
  description: 'What the page shows',
  initial: 'home',
  on: {
    'address.changed': [
      { guard: 'staysHere' },
      {
        description: 'Open a page',
        guard: 'opensJourney',
        target: '.deciding',
        actions: ['close', 'assignOpening'],
      },
      { target: '.home', actions: ['close', 'assignOpening'] },
    ],
    'facts.arrived': { actions: 'passOnToStep' },
    // A form that was opened beside fewer records is opened anew, with what was typed.
    'another.start': { guard: 'isMadeElsewhere', target: '.deciding', actions: ['close', 'forgetStep'] },
    'subscription.switched': {
      description: 'Another subscription is current',
      target: '.deciding',
      actions: ['close', 'forgetStep'],
    },
    // What is open belongs to the company before; so do its polls and writes, which end with it.
    'company.switched': [
      { description: 'Another company is current', guard: 'isOwnSwitch' },
      { target: '.leaving', actions: ['close', 'forgetStep', 'goHome'] },
    ],
    'xstate.error.actor.step': {
      description: 'The journey stops with an error',
      target: '.broken',
      actions: 'assignError',
    },
  },
  states: {
    home: { description: 'No journey is open' },
    deciding: {
      always: [
        { guard: 'isReading', target: 'loading' },
        { guard: 'isUnavailable', target: 'unavailable' },
        { guard: 'isReady', target: 'opening', actions: ['open', 'listen'] },
        { target: 'loading' },
      ],
    },
    loading: {
      description: 'Waits for the journey’s code and the facts',
      on: {
        'journey.loaded': { guard: 'isMeant', target: 'deciding' },
        'journey.broken': { guard: 'isMeant', target: 'broken' },
        'facts.arrived': 'deciding',
        'facts.failed': 'deciding',
      },
    },
    broken: {
      description: 'The journey’s code did not arrive, or it stopped with an error',
    },
    unavailable: {
      description: 'The facts could not be read, or not those that the journey’s gates check',
      on: {
        retry: { guard: 'canHelp', target: 'deciding' },
        'facts.arrived': 'deciding',
        'result.close': { description: pressLabel('Close'), target: 'leaving', actions: 'goHome' },
      },
    },
    opening: {
      always: [
        { guard: 'mayReturn', target: 'returning', actions: 'findResult' },
        { guard: 'offers', target: 'offering', actions: 'findResult' },
        { guard: 'completes', target: 'complete', actions: 'findResult' },
        { guard: 'asksFirst', target: 'working', actions: 'findResult' },
        { target: 'working' },
      ],
    },
    working: {
      description: 'The journey is under way',
      on: {
        'result.close': { guard: 'showsEarlier', target: 'leaving', actions: 'goHome' },
        'facts.arrived': [{ guard: 'mayReturn', target: 'returning', actions: 'passOnToStep' }, ...arrived({})],
        'xstate.done.actor.step': [
          leftAlone,
          { guard: 'comesBack', target: 'leaving', actions: ['keepMade', 'goBack'] },
          { guard: 'isGuided', target: 'showing', actions: 'keepMade' },
          { target: 'leaving', actions: ['keepMade', 'goHome'] },
        ],
      },
    },
    showing: {
      description: 'Shows the result while newer facts are read',
      // A journey that ends is not the last row: another follows, done or not.
      on: { 'facts.arrived': [goesOn, offered, { actions: 'passOnToStep' }] },
    },
    returning: {
      tags: ['offered'],
      description: 'A requirement of the page before now exists; returning to it is offered',
      on: {
        'xstate.done.actor.step': [leftAlone, { target: 'leaving', actions: ['keepMade', 'goBack'] }],
        'result.close': closed,
        'next.accept': {
          description: pressLabel('Next', 'Back to'),
          target: 'leaving',
          actions: 'goBack',
        },
      },
    },
    offering: {
      tags: ['offered'],
      description: 'The step is done; the next step is offered',
      on: {
        'facts.arrived': continues,
        'xstate.done.actor.step': endsAgain,
        'result.close': closed,
        'next.accept': { target: 'leaving', actions: 'goNext' },
      },
    },
    complete: {
      tags: ['offered'],
      description: 'Every row of the guided path is done',
      on: { 'facts.arrived': continues, 'xstate.done.actor.step': endsAgain, 'result.close': closed },
    },
    leaving: { description: 'The page goes to another address' },
  },
});
