import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { note } from '#server/record/exchange.ts';
import type { Timelines } from '#server/record/timeline.ts';
import type { ObservedCall } from '#server/sandbox/programs.ts';
import { secretsOf, type UpstreamConfig } from '#server/upstream/config.ts';
import { credentialsIn } from './headers.ts';

/** Each connection that a client of this process opens (undici, as the console's client and Node's fetch are). */
const connected = 'undici:client:connected';

/**
 * Records the calls that other programs make at the embedded sandbox, in the workspace to whose application they come.
 * Those of this process are recorded where they are
 * made; they are told by the ports of its connections, which nobody else can have.
 */
export function recordPrograms(
  timelines: Pick<Timelines, 'of'>,
  upstreamOf: (workspace: string) => UpstreamConfig,
  newId: () => string,
) {
  const own = new Set<number>();
  const notePort = (message: unknown) => {
    const { socket } = message as { socket: Socket }; // by the channel's documentation
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
      // Also a key that is none of the sandbox's: it may be that of another environment.
      const all = [...secretsOf(upstreamOf(workspace)), ...credentialsIn(passed.request.headers)];
      note(
        { ...passed, kind: 'program', wrong, baseString: expected, signed, secrets: all },
        { timeline: timelines.of(workspace), interactionId, journey: '', step: '', name: '' },
      );
    },
    end: () => unsubscribe(connected, notePort),
  };
}
