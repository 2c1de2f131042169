import { createActor, type Actor, type AnyStateMachine } from 'xstate';

/** The arguments of a page's call. */
export type Request = {
  body?: { data: Record<string, unknown>; externalId?: string };
  key?: string;
  params?: object;
  query?: Record<string, string>;
};

/** The calls made so far, and the fake server's answers by call; a call without an answer fails the test. */
interface Server {
  made: { name: string; request: Request }[];
  answers: Record<string, (request: Request) => unknown>;
}
export const server: Server = { made: [], answers: {} };

/** Answers to calls that every page may make: an empty timeline, a fault lab that does nothing. */
const beside: Server['answers'] = {
  getTimeline: () => ({ data: [] }),
  getLab: () => ({
    data: {
      rules: [],
      clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
      receiver: { url: null },
    },
  }),
};

/** Replaces the page's `call`; use it with `vi.mock('#app/client/client.ts', ...)`. */
export const call = (name: string, request: Request): Promise<unknown> => {
  server.made.push({ name, request });
  const answer = server.answers[name] ?? beside[name];
  return answer ? Promise.resolve(answer(request)) : Promise.reject(new Error(`Nobody answers ${name}`));
};

export const requests = (name: string): Request[] =>
  server.made.flatMap((made) => (made.name === name ? made.request : []));
export const names = (): string[] => server.made.map(({ name }) => name);

/** Starts a journey as the console does: with the facts, if the test's server has any. */
export const started = <M extends AnyStateMachine>(machine: M) =>
  createActor(machine as AnyStateMachine, { input: { facts: server.answers['getFacts']?.({}) } }).start() as Actor<M>; // the console knows no types either
