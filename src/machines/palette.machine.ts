import { assign, emit, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { doubleClick, doubleClickPasses } from '#machines/lib/doubleClick.ts';
import type { Tag } from '#machines/lib/gate.ts';
import type { Owner } from './onboarding/workspace.machine.ts';
import { effect, actionTexts } from '#machines/lib/effect.ts';
import { failsTo, journeyActions } from '#machines/lib/journeyActions.ts';

/** An action that the palette runs immediately, with the facts that were shown when it was chosen. */
export interface PaletteAct {
  act: 'copyToken' | 'suspend';
  facts: Facts;
}

type PaletteEvent = ({ type: 'act.run' } & PaletteAct) | { type: 'company.use'; owner: Owner };

interface PaletteContext {
  chosen: PaletteAct | null;
  owner: Owner | null;
  /** The result of the last action in a sentence; '' if there is none. */
  said: string;
  failure: Problem | null;
}

/**
 * The actions of the palette: one at a time, each followed by half a second in which the second press of a double click
 * does nothing, because an action may have turned into its opposite. Effects: `act`, which returns a sentence about the
 * result, and `use`. Emits `facts.changed` when the facts may have changed, also after a failure, and `company.used`
 * when another company is the current one.
 */
export const paletteMachine = setup({
  types: {
    context: {} as PaletteContext,
    events: {} as PaletteEvent,
    emitted: {} as { type: 'facts.changed' } | { type: 'company.used' },
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: {
    act: effect<PaletteAct | null, string>('writes', actionTexts('It is done')),
    use: effect<Owner | null, void>('writes', actionTexts('The company is current')),
  },
  delays: { doubleClick },
  actions: {
    choose: assign(({ event }) => (event.type === 'act.run' ? { chosen: { act: event.act, facts: event.facts } } : {})),
    chooseOwner: assign(({ event }) => (event.type === 'company.use' ? { owner: event.owner } : {})),
    clear: assign({ said: '', failure: null }),
    assignSaid: assign((_, { said }: { said: string }) => ({ said })),
    emitUsed: emit({ type: 'company.used' }),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'palette',
    context: { chosen: null, owner: null, said: '', failure: null },
    initial: 'ready',
    states: {
      ready: {
        meta: { description: 'An action can be chosen; the result of the last one is shown' },
        on: {
          'act.run': { target: 'acting', actions: 'choose', description: 'Choose an action' },
          'company.use': { target: 'using', actions: 'chooseOwner', description: 'Choose a company' },
        },
      },
      acting: {
        tags: ['busy'],
        meta: { description: 'The action is under way; no other one can be chosen' },
        entry: 'clear',
        invoke: {
          id: 'act',
          src: 'act',
          input: ({ context }) => context.chosen,
          onDone: {
            target: 'turned',
            actions: { type: 'assignSaid', params: ({ event }) => ({ said: event.output }) },
          },
          onError: failsTo('turned'),
        },
      },
      using: {
        tags: ['busy'],
        meta: { description: 'Switches to another company' },
        entry: 'clear',
        invoke: {
          id: 'use',
          src: 'use',
          input: ({ context }) => context.owner,
          onDone: { target: 'turned', actions: 'emitUsed' },
          onError: failsTo('turned'),
        },
      },
      turned: {
        meta: { description: 'For half a second the second press of a double click does nothing' },
        entry: 'emitFactsChanged',
        after: { doubleClick: { target: 'ready', description: doubleClickPasses } },
      },
    },
  });
