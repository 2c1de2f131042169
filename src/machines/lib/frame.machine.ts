import { assign, setup } from 'xstate';
import type { Tag } from './state.ts';
import { effect, readOneTexts } from './effect.ts';
import { describedGuard, type Reported } from './describe.ts';

/** What speaks against showing a page in a frame, '' if nothing is known; `certain`: the browser refuses it. */
export interface Framing {
  refusal: string;
  certain: boolean;
}

export interface FrameInput {
  link: string;
  /** The address of the page around the frame. */
  around: string;
}

interface Context extends FrameInput {
  loaded: boolean;
  /** Why the page cannot be shown, or may not be; '' if nothing is known. */
  reason: string;
}

/** Delay (ms) after which a page that has not loaded is better opened in a tab. */
export const frameDelay = 10_000;

const isInsecure = ({ link, around }: FrameInput): boolean =>
  around.startsWith('https:') &&
  link.startsWith('http:') &&
  !/^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(link);

interface Args {
  context: Context;
  event: { type: string; output?: Framing };
}

const framingIn = ({ output }: Args['event']): Framing => output ?? { refusal: '', certain: false };

/**
 * A page in a frame. A frame does not tell why it is empty: a page that refuses it also loads. So the server reads the
 * headers of the page (effect `readFraming`), while the frame loads. In the states tagged `failed`, opening the page in a
 * new tab is the primary action.
 */
export const frameMachine = setup({
  types: {
    context: {} as Context,
    input: {} as FrameInput,
    events: {} as { type: 'frame.loaded' },
    tags: {} as Tag,
    meta: {} as Reported,
  },
  actors: { readFraming: effect<{ link: string }, Framing>('reads', readOneTexts('The page’s header')) },
  delays: { frameDelay },
  guards: {
    isInsecure: describedGuard('the browser blocks http in a page over https', ({ context }: Args) =>
      isInsecure(context),
    ),
    isLoaded: describedGuard('it has loaded', ({ context }: Args) => context.loaded),
    refuses: describedGuard('the page refuses frames', ({ event }: Args) => framingIn(event).certain),
    isDoubtful: describedGuard('the page answers with an error', ({ event }: Args) => framingIn(event).refusal !== ''),
  },
  actions: {
    noteLoaded: assign({ loaded: true }),
    noteInsecure: assign({
      reason: 'The browser blocks it, because it has an http address and this page an https one',
    }),
    noteLate: assign({ reason: `It has not loaded within ${frameDelay / 1000} s` }),
    noteReason: assign((_, { refusal }: Framing) => ({ reason: refusal })),
  },
}).createMachine({
  id: 'frame',
  meta: { reports: ['frame.loaded'] },
  context: ({ input }) => ({ ...input, loaded: false, reason: '' }),
  initial: 'beginning',
  states: {
    beginning: {
      always: [{ guard: 'isInsecure', target: 'refused', actions: 'noteInsecure' }, { target: 'asking' }],
    },
    asking: {
      description: 'The page loads, and the server reads its header',
      on: { 'frame.loaded': { actions: 'noteLoaded', description: 'The frame loads' } },
      invoke: {
        id: 'readFraming',
        src: 'readFraming',
        input: ({ context: { link } }) => ({ link }),
        onDone: [
          {
            guard: 'refuses',
            target: 'refused',
            actions: { type: 'noteReason', params: ({ event }) => event.output },
          },
          {
            guard: 'isDoubtful',
            target: 'doubtful',
            actions: { type: 'noteReason', params: ({ event }) => event.output },
          },
          { guard: 'isLoaded', target: 'shown' },
          { target: 'loading' },
        ],
        // The frame itself may still show the page.
        onError: [{ guard: 'isLoaded', target: 'shown' }, { target: 'loading' }],
      },
    },
    loading: {
      description: 'The page loads',
      on: { 'frame.loaded': { target: 'shown', description: 'The frame loads' } },
      after: { frameDelay: { target: 'late', actions: 'noteLate', description: 'Ten seconds pass' } },
    },
    shown: { description: 'The page is shown' },
    late: {
      tags: ['failed'],
      description: 'The page has not loaded',
      on: { 'frame.loaded': { target: 'shown', description: 'The frame loads' } },
    },
    doubtful: { tags: ['failed'], description: 'The frame may show an error instead of the page' },
    refused: { tags: ['failed'], description: 'The page cannot be shown in a frame' },
  },
});
