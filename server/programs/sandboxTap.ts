import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { recordExchange } from '#server/calls/callContext.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import type { ObservedCall } from '#server/sandbox/http/observedCalls.ts';
import { secretsOf, type UpstreamConfig } from '#server/upstream/config.ts';
import { credentialsIn } from './headers.ts';
import { newAttempt } from '#server/calls/writeOutcome.ts';

/**
 * Channel on which undici (used by the console's client and by Node's fetch) reports each connection of this process.
 */
const connected = 'undici:client:connected';

/**
 * Records the calls of other programs at the embedded sandbox, in the workspace of their application. Ignores the calls
 * of this process, which are recorded where they are made; it recognises them by their unique local ports.
 */
export function recordPrograms(
  timelines: Pick<Timelines, 'of'>,
  upstreamOf: (workspace: string) => UpstreamConfig,
  newId: () => string,
) {
  const own = new Set<number>();
  const notePort = (message: unknown) => {
    const { socket } = message as { socket: Socket }; // as the channel's documentation says
    const { localPort } = socket;
    if (localPort === undefined) return;
    own.add(localPort);
    socket.once('close', () => own.delete(localPort));
  };
  subscribe(connected, notePort);
  return {
    observe: ({ port, wrong, expected, signed, ...passed }: ObservedCall, workspace: string): void => {
      if (port !== undefined && own.has(port)) return;
      const id = passed.request.headers['x-fapi-interaction-id'];
      const interactionId = typeof id === 'string' && /^[\w-]{8,64}$/.test(id) ? id : newId();
      // Masks keys of other environments too, if a program sends one by mistake.
      const all = [...secretsOf(upstreamOf(workspace)), ...credentialsIn(passed.request.headers)];
      recordExchange(
        { ...passed, kind: 'program', wrong, baseString: expected, signed, secrets: all },
        { timeline: timelines.of(workspace), interactionId, journey: '', step: '', name: '', attempt: newAttempt() },
      );
    },
    end: () => unsubscribe(connected, notePort),
  };
}
