import { calls, type CallName } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { AgainKey, Repeat } from '#rules/replay.ts';

/** A timeline entry; by default a read from the service. */
export const timelineEntry = (entry: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: '1',
  kind: 'service',
  interactionId: '5b0c91de-0000-4000-8000-0000000077a1',
  at: '2026-11-21T18:41:02.330Z',
  ms: 12,
  journey: 'providers',
  step: 'looking',
  name: '',
  method: 'GET',
  url: 'https://service.example/v3/providers?country=GB',
  status: 200,
  reason: '',
  attempt: 1,
  request: { headers: { authorization: '$TOKEN' }, body: '', bytes: 0 },
  response: { headers: { 'content-type': 'application/json' }, body: '{"data":[]}', bytes: 11 },
  signature: '',
  baseString: '',
  answers: '',
  ...entry,
});

/** A recorded call of the page that succeeded, to be sent again at the sandbox. */
export const repeatOf = (key: AgainKey, name: CallName = 'createCompany'): Repeat => {
  const headers = { [companyHeader]: 'first', 'idempotency-key': 'key-1' };
  const { method, path: url } = calls[name];
  const call = timelineEntry({ kind: 'call', name, method, url, request: { headers, body: '', bytes: 0 } });
  return { call, key, isLive: false };
};
