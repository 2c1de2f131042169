import { answering, type Script } from './fakeUpstream.ts';

/** A script that holds each request until it is answered, by its index in the order of arrival. */
export function heldReads() {
  const held: (((body: object) => void) | undefined)[] = [];
  let known: object | undefined;
  const script: Script = (response, asked) => {
    if (known) return answering(known)(response, asked);
    return new Promise<void>((resolve) => {
      held.push((body) => resolve(answering(body)(response, asked)));
    });
  };
  return {
    script,
    /** Holds all further requests again. */
    hold: () => void (known = undefined),
    /** Number of requests that have been held so far. */
    held: () => held.length,
    /** Number of requests that have not been answered. */
    waiting: () => held.filter(Boolean).length,
    answer(index: number, body: object): void {
      held[index]?.(body);
      held[index] = undefined;
    },
    /** The answer to all further requests. */
    otherwise: (body: object) => void (known = body),
  };
}
