import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { callOf, lackOfCall, notAgain, type AgainKey } from '#rules/replay.ts';
import { Failure } from '#server/failure.ts';
import { parseJsonBody } from '#server/http/body.ts';
import { jsonLimits } from '#server/http/json.ts';
import { newCall, runInCall } from '#server/calls/callContext.ts';
import { recordCall, type CarryOut } from './call.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Handlers } from './handlers.ts';

/** Returns the path parameters of a call, decoded, by name. */
function paramsIn(name: CallName, path: string): Record<string, string> {
  const names = [...calls[name].path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
  const pattern = new RegExp(`^${calls[name].path.replace(/\{\w+\}/g, '([^/]+)')}$`);
  const values = pattern.exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((each, index) => [each, decodeURIComponent(values[index] ?? '')]));
}

/** Returns the input of a recorded call. */
function inputOf({ name, url, request }: TimelineEntry, key: AgainKey) {
  const { pathname, searchParams } = new URL(url, 'http://console');
  // A repeat under a new key must not pay invoices a second time.
  if (key === 'new') searchParams.delete('again');
  const within = name === 'createBatch' ? jsonLimits.batch : jsonLimits.body;
  return {
    params: paramsIn(name as CallName, pathname), // notAgain has checked the name
    query: Object.fromEntries(searchParams),
    body: request.body === '' ? {} : parseJsonBody(request.body, within),
    search: searchParams.size > 0 ? `?${searchParams.toString()}` : '',
    pathname,
  };
}

/**
 * Makes the handler that repeats calls recorded in the timeline. A repeat is performed like a call of the page, with the
 * same checks, idempotency keys and rules about payments. `contextIn` opens a company of a workspace by its key and
 * throws `company-unknown`.
 */
export const replayHandlers = (
  carryOut: CarryOut,
  contextIn: (workspace: string, companyKey: string | undefined) => Promise<CompanyContext>,
): Pick<Handlers, 'repeatCall'> => ({
  async repeatCall(
    { store, timeline, config, newId },
    { params: { entryId }, body: { key }, origin, user, switchCompany },
  ) {
    const entries = await timeline.list();
    const entry = entries.find(({ id }) => id === entryId);
    if (!entry) throw new Failure('not-found', `The timeline has no entry ${entryId} any more.`);
    const call = callOf(entry, entries);
    if (!call) throw new Failure('forbidden', lackOfCall(entry));
    const reason = notAgain(call, key, config.upstream.environment === 'live');
    if (reason) throw new Failure('forbidden', reason);

    const { journey, step, request, method, status } = call;
    const name = call.name as CallName; // notAgain has checked it
    const context = await contextIn(store.workspace, request.headers[companyHeader]);
    const { pathname, search, ...input } = inputOf(call, key);
    const givenKey = key === 'same' ? (request.headers['idempotency-key'] ?? '') : newId();
    const repeated = newCall({ timeline, interactionId: newId(), journey, step, name });
    const headers = {
      'content-type': request.headers['content-type'],
      [stepHeader]: request.headers[stepHeader],
      ...('write' in calls[name] && { 'idempotency-key': givenKey }),
    };
    let replayed = false;
    const run = async () => {
      const only = key === 'same' && status === 200;
      const asked = { ...input, givenKey, origin, user, ofPage: true, switchCompany };
      const result = await carryOut(name, context, repeated, asked, only);
      replayed = result.replayed;
      const { answer } = result;
      return typeof answer === 'string'
        ? { text: answer, type: 'text/plain', replayed }
        : { text: stringify(answer), type: 'application/json', replayed };
    };
    const recordedRequest = { method, url: pathname + search, headers, body: request.body };
    // The new entry reports a Failure; any other error is a fault of the console.
    await runInCall(repeated, () => recordCall(context, repeated, recordedRequest, run)).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
    const created = (await timeline.list()).findLast(
      (each) => each.kind === 'call' && each.name === name && each.interactionId === repeated.interactionId,
    );
    if (!created) throw new Failure('not-found', 'It was sent again, but the timeline does not keep it.');
    return { data: { entry: created, replayed } };
  },
});
