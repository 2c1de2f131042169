import type { Context } from 'koa';
import { passedCallHeader } from '#contract/programs.ts';
import { Failure } from '#server/failure.ts';
import { callContext, currentAttempt, noteCall } from '#server/calls/callContext.ts';
import { isSafeMethod } from '#server/http/page.ts';
import { answerHeaders, headersOf, idHeaders } from '#server/calls/requestIds.ts';
import type { RequestIds } from '#server/calls/requestIds.ts';
import { outgoingSpan } from '#server/calls/spans.ts';
import { trackSend } from '#server/calls/writeOutcome.ts';
import { maskAll } from '#server/mask.ts';
import type { UpstreamOutcome } from '#server/upstream/metricLabels.ts';
import { classOf, failureLabel, spanOf } from '#server/upstream/metricLabels.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import { verdictOf } from '#server/upstream/verdict.ts';
import type { TransportResponse } from '#server/upstream/exchange.ts';
import { headersByName } from '#server/upstream/transport.ts';
import { failureOf, wasSent } from '#server/upstream/transportFailure.ts';
import { recordedBody } from '#server/timeline/recordedBody.ts';
import { pairsOf } from './headers.ts';
import type { Passed, ProgramDeps, Recording } from './record.ts';

/** What a browser may do with another host's content under the console's address: neither run nor cache it. */
const restrictions: readonly string[] = [
  'content-security-policy',
  "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options',
  'nosniff',
  'cache-control',
  'no-store',
];

/** Statuses of answers that have no body (RFC 9110, section 6.4.1). */
const withoutBody: readonly number[] = [204, 304];

/** Whether headers, names and values in turn, have this name. */
const has = (headers: readonly string[], name: string): boolean =>
  headers.some((each, at) => at % 2 === 0 && each.toLowerCase() === name);

/** Returns a call's headers with the console's ids in place of those that it lacks, or that are invalid. */
function identified(sent: readonly string[], ids: RequestIds, spanId: string): string[] {
  const { requestId, traceparent, tracestate } = idHeaders;
  const { given } = ids;
  const replaced: string[] = [
    ...(given.requestId ? [] : [requestId]),
    ...(given.trace ? [] : [traceparent, tracestate]),
  ];
  const own = new Map(Object.entries(headersOf(ids, spanId)));
  const headers: string[] = [];
  for (let at = 0; at + 1 < sent.length; at += 2)
    if (!replaced.includes(sent[at]!.toLowerCase())) headers.push(sent[at]!, sent[at + 1]!); // within the list
  for (const name of replaced) if (own.has(name)) headers.push(name, own.get(name)!);
  return headers;
}

/** Sends the service's answer to the program, with its headers, bytes and trailers. */
function answer(ctx: Context, { status, headers, body, trailers }: Passed): void {
  const { res, req } = ctx;
  ctx.respond = false;
  const sent = [...headers];
  for (const [name, value] of Object.entries(answerHeaders(callContext()!.ids!)))
    if (!has(headers, name.toLowerCase())) sent.push(name, value);
  sent.push(...restrictions);
  const saysLength = trailers.length === 0 && req.method !== 'HEAD' && !withoutBody.includes(status);
  if (saysLength && !has(headers, 'content-length')) sent.push('content-length', String(body.length));
  // Koa's context reads the status of what was sent from it, as the log and the metrics do.
  res.writeHead(status, sent);
  if (trailers.length > 0) res.addTrailers(pairsOf(trailers));
  res.end(body);
}

function isRefused({ status, headers, body }: TransportResponse): boolean {
  const received = headersByName(headers);
  return verdictOf({ status, text: recordedBody(body, received).body, headers: received }) === 'refused';
}

/**
 * Returns a function that forwards a program's call to the service, and the answer back as soon as it is complete. Ends
 * the call if the program hangs up. Throws a Failure if there was no complete answer.
 */
export function createForwarder({ upstream, log, clock, metrics, onSpan }: ProgramDeps) {
  return async (ctx: Context, recording: Recording): Promise<void> => {
    const { sent, name, interactionId, secrets } = recording;
    const { origin, path, wirePath } = recording.target()!; // set before a call is forwarded
    const body = recording.body();
    let hasLeft = false;
    let end: ((reason: Error) => void) | undefined;
    const left = () => {
      hasLeft = true;
      end?.(new Error('the program hung up'));
    };
    ctx.res.once('close', left);
    const started = clock.steady();
    const startedAt = clock.now();
    const operation = operationOf(ctx.method, wirePath) ?? 'other';
    const span = outgoingSpan(onSpan);
    const ended = (outcome: UpstreamOutcome) => {
      const ms = clock.steady() - started;
      metrics?.upstream(operation, outcome, ms);
      span.ended(() => spanOf({ operation, method: ctx.method, origin, outcome }, startedAt, ms));
    };
    const request = {
      origin,
      path,
      method: ctx.method,
      onBegun: (endsIt: (reason: Error) => void) => (end = endsIt),
      ownConnection: !isSafeMethod(ctx.method),
      headers: [
        ...identified(sent, callContext()!.ids!, span.spanId),
        ...(name === undefined ? [] : [passedCallHeader, name]),
      ],
      ...(body.length > 0 && { body }),
    };
    const send = () =>
      upstream.pass(request).catch((error: unknown) => {
        throw hasLeft ? error : failureOf(error, origin, interactionId);
      });
    let response: TransportResponse;
    try {
      response = await (isSafeMethod(ctx.method) ? send() : trackSend(currentAttempt(), send, isRefused, wasSent));
    } catch (error) {
      if (hasLeft) {
        ended('left');
        noteCall({ hasLeft: true });
        ctx.respond = false;
        await recording.ends('The program hung up before the answer was complete.');
        return;
      }
      if (error instanceof Failure) {
        const { code } = error.problem;
        ended(failureLabel(error));
        log.warn({ origin, code, reason: maskAll(secrets)(String(error.cause)) }, 'a program’s call');
      }
      throw error;
    } finally {
      ctx.res.off('close', left);
    }
    ended(classOf(response.status));
    answer(ctx, recording.answered(response));
    await recording.ends();
  };
}
