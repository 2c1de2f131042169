import type { Context } from 'koa';
import { passedCallHeader } from '#contract/programs.ts';
import type { AppDeps } from '#server/deps.ts';
import { isRead } from '#server/middleware/page.ts';
import { attemptOf, trackSend } from '#server/writes/outcome.ts';
import { maskAll } from '#server/mask.ts';
import type { UpstreamOutcome } from '#server/metrics/metrics.ts';
import { classOf, outcomeOf } from '#server/upstream/measured.ts';
import { operationOf } from '#server/upstream/operation.ts';
import { isConnected, unanswered } from '#server/upstream/unanswered.ts';
import { passedBack } from './headers.ts';
import type { Recording } from './record.ts';

/**
 * Headers of every forwarded answer: the browser must neither run nor cache another host's content as the
 * console's.
 */
const guarding: Readonly<Record<string, string>> = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/**
 * Returns a function that forwards a program's call to the service, and the answer back, byte for byte; if one side
 * breaks off, it ends the other. Throws a Failure if there was no answer. If the answer breaks off, so does that to the
 * program.
 */
export function createPass({ upstream, log, clock, metrics }: Pick<AppDeps, 'upstream' | 'log' | 'clock' | 'metrics'>) {
  return async (ctx: Context, recording: Recording): Promise<void> => {
    const { res } = ctx;
    const { sent, name, interactionId, secrets } = recording;
    const target = recording.target()!; // set before a call is forwarded
    const body = recording.body();
    const leaving = new AbortController();
    const left = () => leaving.abort(new Error('the program hung up'));
    res.once('close', left);
    let begun = 0;

    function begins(status: number, raw: readonly string[]): void {
      begun = status;
      recording.begins(status, raw);
      ctx.respond = false;
      for (const each of res.getHeaderNames()) res.removeHeader(each);
      res.writeHead(status, [...passedBack(raw), ...Object.entries(guarding)].flat());
      res.write(Buffer.alloc(0)); // sends the headers at once; flushHeaders would write them as UTF-8
    }

    const started = clock.steady();
    const ended = (outcome: UpstreamOutcome) =>
      metrics?.upstream(operationOf(ctx.method, target.wirePath), outcome, clock.steady() - started);
    const { origin, path } = target;
    const request = {
      ...{ origin, path, method: ctx.method, body: body.length === 0 ? null : body },
      headers: [...sent, ...(name === undefined ? [] : [[passedCallHeader, name]])].flat(),
    };
    const send = async () => {
      try {
        await upstream.pass(
          request,
          {
            begins,
            takes(piece) {
              recording.takes(piece);
              return res.write(piece);
            },
            drained: (resume) => void res.once('drain', resume),
          },
          leaving.signal,
        );
      } catch (error) {
        const failure = unanswered(error, origin, begun > 0, interactionId);
        const reason = maskAll(secrets)(String(error));
        ended(leaving.signal.aborted ? 'left' : outcomeOf(failure));
        log.warn({ origin, code: failure.problem.code, reason }, 'a program’s call');
        if (begun === 0 && !leaving.signal.aborted) throw failure;
        ctx.respond = false;
        res.destroy();
        await recording.ends(
          leaving.signal.aborted ? 'The program hung up before the answer was complete.' : failure.message,
        );
        return;
      }
      ended(classOf(begun));
      res.end();
      await recording.ends();
    };
    try {
      await (isRead(ctx.method) ? send() : trackSend(attemptOf(ctx), send, () => begun, isConnected));
    } finally {
      res.off('close', left);
    }
  };
}
