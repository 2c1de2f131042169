import type { Context } from 'koa';
import { programPath, programTokenHeader } from '#contract/programs.ts';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Service } from '#server/upstream/client.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import type { UpstreamMetrics } from '#server/upstream/metricLabels.ts';
import type { ObservedCalls, Findings } from './observedCalls.ts';
import type { Failure } from '#server/failure.ts';
import { newCall, recordExchange } from '#server/calls/callContext.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import type { Timeline } from '#server/timeline/timeline.ts';
import { secretsOf } from '#server/upstream/config.ts';
import type { TransportResponse } from '#server/upstream/exchange.ts';
import { header } from '#server/upstream/wire.ts';
import { maximumSearched } from '#server/upstream/wireFaults.ts';
import type { Target } from './address.ts';
import { recordedBody, whenRecorded } from '#server/timeline/recordedBody.ts';
import { headersByName } from '#server/upstream/transport.ts';
import { credentialsIn, forwardedHeaders, isBrowser, returnedHeaders } from './headers.ts';
import type { ProgramToken } from './tokens.ts';
import { createdId } from './createdId.ts';
import { findingsOf } from './diagnosis.ts';

/** What recording and forwarding the calls of programs needs. */
export interface ProgramDeps {
  config: { upstream: UpstreamConfig; allowedHosts: readonly string[]; access?: { publicUrl: string } };
  storage: Storage;
  upstream: Pick<Service, 'pass'>;
  /** The embedded sandbox's reports on forwarded calls; absent for any other service. */
  observedCalls?: ObservedCalls;
  /** Absent if nothing is measured. */
  metrics?: UpstreamMetrics;
  /** Absent if no traces are recorded. */
  onSpan?: OnSpan;
  clock: Clock;
  newId: () => string;
  log: Logger;
}

/** What is recorded of a call, besides the call. */
interface ProgramCall {
  workspace: string;
  token: ProgramToken;
  timeline: Timeline;
}

/** An answer as it is passed to the program; headers and trailers have names and values in turn. */
export interface Passed {
  status: number;
  headers: readonly string[];
  body: Buffer;
  trailers: readonly string[];
}

const noAnswer: Passed = { status: 0, headers: [], body: Buffer.alloc(0), trailers: [] };

const nothing: Findings = { wrong: [], expected: '', signed: '' };

/** Returns the addresses at which a program may have called, from the program's point of view. */
const calledUrls = ({ host }: Context, publicUrl: string | undefined): string[] =>
  [`http://${host}`, `https://${host}`, ...(publicUrl === undefined ? [] : [publicUrl])].map(
    (origin) => origin + programPath,
  );

/** Follows one call of a program and records it in the timeline once. */
export function recordProgram(ctx: Context, deps: ProgramDeps, { workspace, token, timeline }: ProgramCall) {
  const { config, clock, newId, log, observedCalls, storage } = deps;
  const [startedAt, started] = [clock.now(), clock.steady()];
  const fromBrowser = isBrowser(ctx.headers);
  const sent = forwardedHeaders(ctx.req.rawHeaders, fromBrowser);
  const headers = headersByName(sent);
  const called = calledUrls(ctx, config.access?.publicUrl);
  const givenInteractionId = headers[header.interaction] ?? '';
  const interactionId = /^[\w-]{8,64}$/.test(givenInteractionId) ? givenInteractionId : newId();
  const inSandbox = observedCalls?.begin(called);
  const secrets = [...secretsOf(config.upstream), ctx.get(programTokenHeader), ...credentialsIn(headers)];
  let target: Target | undefined;
  let body: Buffer = Buffer.alloc(0);
  /** The service's answer, with the headers that the program gets. */
  let answer = noAnswer;
  /** Reads a body whole, or its beginning; '' if it is no text. */
  function textOf(bytes: Buffer, fields: Readonly<Record<string, string>>, most = Infinity): string {
    const { body: text, encoding } = recordedBody(bytes, fields, bytes.length, most);
    return encoding === undefined ? text : '';
  }

  function keep(findings: Findings, reason: string, at = answer.status): void {
    recordExchange(
      {
        kind: 'program',
        startedAt,
        ms: clock.steady() - started,
        method: ctx.method,
        url: target?.url ?? ctx.originalUrl,
        status: at,
        reason,
        request: whenRecorded(body, headers),
        response: whenRecorded(answer.body, headersByName(answer.headers)),
        wrong: findings.wrong,
        baseString: findings.expected,
        signed: findings.signed,
        secrets,
      },
      newCall({ timeline, interactionId, name: token.name }),
    );
  }

  /** Returns the faults of the call: those that the sandbox reported, otherwise those that can be inferred. */
  async function found(): Promise<Findings> {
    const observed = inSandbox?.end();
    if (observed || !target) return observed ?? nothing;
    const { url, wirePath } = target;
    const [at = '', ...query] = url.split('?');
    const call = {
      method: ctx.method,
      wirePath,
      url: at,
      query: query.join('?'),
      headers,
      bytes: body,
      status: answer.status,
      // Read by few diagnoses.
      get body() {
        return textOf(body, headers);
      },
      get answer() {
        return textOf(answer.body, headersByName(answer.headers), maximumSearched);
      },
    };
    return findingsOf(call, { storage, workspace, config: config.upstream, called }).catch((error: unknown) => {
      log.warn({ err: error }, 'what is wrong with a program’s call could not be found out');
      return nothing;
    });
  }

  /**
   * Records the id that the service has returned to the call: a write of the console that is answered with it has another
   * one's answer.
   */
  async function receive(): Promise<void> {
    const path = target?.wirePath ?? '';
    const created = createdId({ method: ctx.method, path, status: answer.status }, () =>
      textOf(answer.body, headersByName(answer.headers)),
    );
    if (!created) return;
    await storage.writes
      .noteCreated(workspace, created, headers[header.idempotency] ?? interactionId)
      .catch((error: unknown) => log.warn({ err: error }, 'the id that a program received could not be stored'));
  }

  return {
    interactionId,
    /** The name of the call for the sandbox; undefined for another service. */
    name: inSandbox?.name,
    sent,
    secrets,
    body: () => body,
    target: () => target,
    /** Notes the target of the call and its body. */
    goes(to: Target, with_: Buffer): void {
      [target, body] = [to, with_];
    },
    /** Notes the service's answer; returns it with the headers that the program gets. */
    answered({ status, headers: raw, body: bytes, trailers = {} }: TransportResponse): Passed {
      const fields = Object.entries(trailers).flatMap(([name, value]) =>
        [value].flat().flatMap((each) => [name, each]),
      );
      answer = {
        status,
        body: bytes,
        headers: returnedHeaders(raw, fromBrowser),
        trailers: returnedHeaders(fields, fromBrowser),
      };
      return answer;
    },
    /** Records the call with its answer; `reason` says why it was not completed. */
    async ends(reason = ''): Promise<void> {
      await receive();
      if (!timeline.isKept) inSandbox?.end();
      else keep(await found(), reason);
    },
    /** Records a call that the console refused, or that the service did not answer. */
    refused({ problem: { status: refusedWith, detail, code } }: Failure): void {
      inSandbox?.end();
      const isOfService = code.startsWith('upstream-');
      if (isOfService) keep(nothing, detail, 0);
      else keep({ ...nothing, wrong: [detail] }, '', refusedWith);
    },
  };
}

export type Recording = ReturnType<typeof recordProgram>;
