import { recordExchange } from '#server/calls/callContext.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import type { ObservedCall } from '#server/sandbox/http/observedCalls.ts';
import { secretsOf, type UpstreamConfig } from '#server/upstream/config.ts';
import { credentialsIn } from './headers.ts';
import { newAttempt } from '#server/calls/writeOutcome.ts';

/**
 * Records the calls of other programs at the embedded sandbox, in the workspace of their application. Ignores the calls
 * of this process (`isOwn`), which are recorded where they are made.
 */
export function recordPrograms(
  timelines: Pick<Timelines, 'of'>,
  upstreamOf: (workspace: string) => UpstreamConfig,
  newId: () => string,
  isOwn: (port: number | undefined) => boolean,
) {
  return {
    observe: ({ port, wrong, expected, signed, ...passed }: ObservedCall, workspace: string): void => {
      if (isOwn(port)) return;
      const id = passed.request.headers['x-fapi-interaction-id'];
      const interactionId = typeof id === 'string' && /^[\w-]{8,64}$/.test(id) ? id : newId();
      // Masks keys of other environments too, if a program sends one by mistake.
      const all = [...secretsOf(upstreamOf(workspace)), ...credentialsIn(passed.request.headers)];
      recordExchange(
        { ...passed, kind: 'program', wrong, baseString: expected, signed, secrets: all },
        { timeline: timelines.of(workspace), interactionId, journey: '', step: '', name: '', attempt: newAttempt() },
      );
    },
  };
}
