import { parse, stringify, type Json } from '#contract/json.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import type { UpstreamConfig } from './config.ts';
import { timeouts } from './timeouts.ts';
import type { ServiceClock } from '#server/calls/serviceClock.ts';
import { headersByName } from './transport.ts';
import type { Transport } from './transport.ts';

interface Refusal {
  detail?: string;
  errors?: { path: string; message: string }[];
}

/** Returns the failure of the console's call for a refusal by the lab. */
function failureOf(status: number, { detail = '', errors }: Refusal): Failure {
  const more = errors ? { errors } : {};
  if (status === 400) return new Failure('invalid-request', detail, more);
  if (status === 404) return new Failure('not-found', detail);
  if (status === 409) return new Failure('upstream-conflict', detail);
  return new Failure('upstream-failed', `The sandbox’s fault lab answered ${status}. ${detail}`);
}

export type ControlRequest = [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown];

/**
 * Calls the fault lab of the sandbox with its control token, which stays on the server (docs/sandbox.md). Returns the
 * answer's `data`, null if it has no body. Throws `not-found` if the console uses another service.
 */
export async function askSandbox(
  { transport, serviceClock }: { transport: Transport; serviceClock: ServiceClock },
  { lab }: Pick<UpstreamConfig, 'lab'>,
  ...[method, path, body]: ControlRequest
): Promise<Json> {
  if (!lab)
    throw new Failure('not-found', 'The fault lab is a part of the sandbox, and this console uses another service.');
  const { url, token, isApart } = lab;
  const { origin, pathname } = new URL(url);
  const request = {
    method,
    origin,
    path: `${pathname.replace(/\/$/, '')}/sandbox${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: stringify(body) }),
  };
  const limits = { timeouts: timeouts.lab, maxBytes: jsonLimits.largeAnswer.bytes };
  const response = await transport(request, limits).catch(() => {
    throw new Failure(
      'upstream-unreachable',
      isApart
        ? 'The sandbox does not answer. It is a process of its own: see SANDBOX_URL.'
        : 'The sandbox does not answer. It starts and ends with this console.',
    );
  });
  // A change of the sandbox's clock is seen at once.
  serviceClock.observe(headersByName(response.headers), 0);
  const text = response.body.toString('utf8');
  const answer = text === '' ? null : (parse(text) as { data?: Json } & Refusal); // the sandbox's own form
  if (response.status >= 300) throw failureOf(response.status, answer ?? {});
  return answer?.data ?? null;
}
