import { fromPromise, type PromiseActorLogic } from 'xstate';
import type { Problem } from '#contract/problem.ts';

/** An effect that a chart needs and the page supplies: a promise actor from `I` to `O`. */
export type Port<I, O> = PromiseActorLogic<O, I>;

/** A port that nobody has supplied yet; it fails with its own name. */
export const port = <I, O>(name: string): Port<I, O> =>
  fromPromise<O, I>(() => Promise.reject(new Error(`Nobody supplied the port ${name}`)));

const never = new Promise<never>(() => {});

/**
 * Supplies a port. `signal` aborts when the state is left, so hand it to the request. What an aborted request rejects
 * with reaches nobody: React's StrictMode stops and restarts the same actor, which would take it for its own failure.
 */
export const fulfil = <I, O>(_port: Port<I, O>, run: (input: I, signal: AbortSignal) => Promise<O>): Port<I, O> =>
  fromPromise<O, I>(({ input, signal }) =>
    run(input, signal).catch((error: unknown) => {
      if (signal.aborted) return never;
      throw error;
    }),
  );

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'title' in error && 'detail' in error;

/** What a failed port rejected with, as a problem: ports reject with problems, anything else is a fault of ours. */
export const failureOf = (error: unknown): Problem =>
  isProblem(error)
    ? error
    : {
        type: 'about:blank',
        title: 'Unexpected Application Error',
        status: 0,
        detail: error instanceof Error ? error.message : String(error),
        code: 'internal',
      };
