import { createActor, type Actor, type AnyStateMachine } from 'xstate';

/** What a call of the page is made with. */
export type Request = {
  body?: { data: Record<string, unknown>; externalId?: string };
  key?: string;
  params?: object;
  query?: Record<string, string>;
};

/** The calls made so far, and how the console's server answers each; a call without answer fails the test. */
interface Server {
  made: { name: string; request: Request }[];
  answers: Record<string, (request: Request) => unknown>;
}
export const server: Server = { made: [], answers: {} };

/** What every page may ask for beside its own business: nothing has passed on the timeline. */
const beside: Server['answers'] = { getTimeline: () => ({ data: [] }) };

/** Stands for the page's `call`: `vi.mock('#app/client.ts', ...)` with it. */
export const call = (name: string, request: Request): Promise<unknown> => {
  server.made.push({ name, request });
  const answer = server.answers[name] ?? beside[name];
  return answer ? Promise.resolve(answer(request)) : Promise.reject(new Error(`Nobody answers ${name}`));
};

export const requests = (name: string): Request[] =>
  server.made.flatMap((made) => (made.name === name ? made.request : []));
export const names = (): string[] => server.made.map(({ name }) => name);

/** A journey as the console starts it: with the facts, if the server of the test has any. */
export const started = <M extends AnyStateMachine>(machine: M) =>
  createActor(machine as AnyStateMachine, { input: { facts: server.answers['getFacts']?.({}) } }).start() as Actor<M>; // the console knows no types either
