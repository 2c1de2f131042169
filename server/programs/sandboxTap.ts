import { newCall, recordExchange } from '#server/calls/callContext.ts';
import type { AnsweredCall } from '#server/sandbox/records/recorder.ts';
import { recordedBody } from '#server/timeline/recordedBody.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import { secretsOf, type UpstreamConfig } from '#server/upstream/config.ts';
import { header } from '#server/upstream/wire.ts';
import { credentialsIn } from './headers.ts';

const noAnswer = 'No answer was sent: the connection was closed before.';

/** Returns a function that records a program's call at the embedded sandbox, in the workspace of its application. */
export const recordPrograms =
  (timelines: Pick<Timelines, 'of'>, upstreamOf: (workspace: string) => UpstreamConfig, newId: () => string) =>
  ({ request, response, findings, forwardedAs: _, ...call }: AnsweredCall, workspace: string): void => {
    const id = request.headers[header.interaction] ?? '';
    const { wrong, expected: baseString, signed } = findings;
    recordExchange(
      {
        ...call,
        kind: 'program',
        wrong,
        baseString,
        signed,
        ...(call.status === 0 && { reason: noAnswer }),
        request: { headers: request.headers, ...recordedBody(request.bytes, request.headers) },
        response: { headers: response.headers, ...recordedBody(response.bytes, response.headers) },
        // Keys of other environments are masked too, if a program sends one by mistake.
        secrets: [...secretsOf(upstreamOf(workspace)), ...credentialsIn(request.headers)],
      },
      newCall({ timeline: timelines.of(workspace), interactionId: /^[\w-]{8,64}$/.test(id) ? id : newId() }),
    );
  };
