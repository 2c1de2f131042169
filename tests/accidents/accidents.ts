import type { Scene } from './scene.ts';

/** What becomes of a call that `send` passes on. */
export type ToCall = (send: () => Promise<Response>) => Promise<Response>;

/** Something that happens once, in one state of a journey, to whoever is under way there. */
export interface Accident {
  words: string;
  /** Makes it happen. Resolves once it has. */
  happens: (scene: Scene) => Promise<unknown>;
  /** Whether it comes while the call is under way; else it comes before the call. */
  during?: true;
  /** Whether what was wanted may be told to be impossible afterwards. */
  forgets?: true;
  /** What becomes of the next call, in place of `happens`. */
  toCall?: ToCall;
}

const nothing = () => Promise.resolve();

/** What can come between two steps of a path, from outside of every chart. */
const accidents = {
  reload: { words: 'the page is loaded again', happens: (scene) => scene.reload(), during: true },
  secondTab: { words: 'a second tab does the same', happens: (scene) => scene.double() },
  answerLost: {
    words: 'the console’s answer is lost after the work was done',
    happens: nothing,
    toCall: async (send) => {
      await send().catch(() => undefined);
      throw new TypeError('Failed to fetch');
    },
  },
  serviceAnswerLost: {
    words: 'the service’s answer is lost after the work was done',
    happens: ({ world }) => world.lab.set({ on: 'call', of: 'any', fault: { kind: 'answerLost' } }),
  },
  restart: { words: 'the server is started again', happens: ({ world }) => world.restart(), during: true },
  anotherDay: { words: 'another day begins', happens: ({ world }) => world.nextDay() },
  anotherCompany: { words: 'another tab makes another company current', happens: (scene) => scene.elsewhere() },
  tokenExpires: {
    words: 'the service takes a token for expired',
    happens: ({ world }) => world.lab.set({ on: 'call', of: 'any', fault: { kind: 'expiredToken' } }),
  },
  forgotten: { words: 'the service forgets everything', happens: ({ world }) => world.empty(), forgets: true },
  backAndForward: {
    words: 'the user goes back and forward',
    happens: (scene) => scene.backAndForward(),
    during: true,
  },
} satisfies Record<string, Accident>;

export type AccidentName = keyof typeof accidents;
export const accidentNames = Object.keys(accidents) as AccidentName[]; // exactly its keys
export const accidentsByName: Readonly<Record<AccidentName, Accident>> = accidents;
