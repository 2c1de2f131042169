import type { Scene } from './scene.ts';

/** Treats a call, which `send` forwards. */
export type ToCall = (send: () => Promise<Response>) => Promise<Response>;

/** A disturbance that occurs once, in one state of a journey. */
export interface Accident {
  words: string;
  /** Causes it. Resolves once it has occurred. */
  happens: (scene: Scene) => Promise<unknown>;
  /** Whether it occurs during the call; otherwise before the call. */
  during?: true;
  /** Whether the console may report afterwards that the goal is impossible. */
  forgets?: true;
  /** Treats the next call, in place of `happens`. */
  toCall?: ToCall;
}

const nothing = () => Promise.resolve();

/** The accidents: events from outside every chart that can occur between two steps of a path. */
const accidents = {
  reload: { words: 'the page is loaded again', happens: (scene) => scene.reload(), during: true },
  secondTab: { words: 'a second tab does the same', happens: (scene) => scene.double() },
  answerLost: {
    words: 'the console’s response is lost after the work was done',
    happens: nothing,
    toCall: async (send) => {
      await send().catch(() => undefined);
      throw new TypeError('Failed to fetch');
    },
  },
  serviceAnswerLost: {
    words: 'the service’s response is lost after the work was done',
    happens: ({ world }) => world.lab.set({ on: 'call', of: 'any', fault: { kind: 'answerLost' } }),
  },
  restart: { words: 'the server restarts', happens: ({ world }) => world.restart(), during: true },
  anotherDay: { words: 'another day begins', happens: ({ world }) => world.nextDay() },
  anotherCompany: { words: 'another tab selects another company', happens: (scene) => scene.elsewhere() },
  tokenExpires: {
    words: 'the service refuses the token as expired',
    happens: ({ world }) => world.lab.set({ on: 'call', of: 'any', fault: { kind: 'expiredToken' } }),
  },
  forgotten: { words: 'the service loses all records', happens: ({ world }) => world.empty(), forgets: true },
  backAndForward: {
    words: 'the user goes back and forward',
    happens: (scene) => scene.backAndForward(),
    during: true,
  },
} satisfies Record<string, Accident>;

export type AccidentName = keyof typeof accidents;
export const accidentNames = Object.keys(accidents) as AccidentName[]; // exactly its keys
export const accidentsByName: Readonly<Record<AccidentName, Accident>> = accidents;
