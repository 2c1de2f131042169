import { calls, type CallName } from '#contract/calls.ts';
import { companyHeader, replayHeader, stepHeader, subjectHeader } from '#contract/constants.ts';
import type { Problem } from '#contract/problem.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { Repeat } from '#rules/replay.ts';
import { call, problemOf, requireReachable } from './client.ts';
import { syncCompany } from './companyOfTab.ts';
import { hasFailed, request } from './http.ts';
import { tellOtherTabs } from './otherTabs.ts';
import { subject } from './user.ts';

const keyHeader = 'idempotency-key';

/** The URL of a call under a new key: its confirmation to pay invoices a second time does not count for a third. */
function withoutConfirmation(url: string): string {
  const [path = '', query = ''] = url.split('?');
  const kept = new URLSearchParams(query);
  kept.delete('again');
  return kept.size > 0 ? `${path}?${kept.toString()}` : path;
}

/**
 * Sends a recorded call again, for the company that it was made for. Under its own key, one that succeeded only gets its
 * first answer again. `notAgain` has said that it may be sent: its body and URL are complete and hold no secret.
 */
async function send({ call: entry, key }: Repeat): Promise<{ url: string; sentKey: string; failure?: Problem }> {
  const { method, status, request: recorded } = entry;
  const name = entry.name as CallName; // notAgain has checked it
  const { [companyHeader]: companyKey = '', [keyHeader]: ownKey = '', [stepHeader]: step } = recorded.headers;
  const sentKey = !('write' in calls[name]) ? '' : key === 'same' ? ownKey : crypto.randomUUID();
  const url = key === 'same' ? entry.url : withoutConfirmation(entry.url);
  try {
    if (method !== 'GET') await requireReachable(name, undefined);
    const { headers } = await request({
      method,
      url,
      ...(recorded.body !== '' && { data: recorded.body, transformRequest: (text: string) => text }),
      headers: {
        [companyHeader]: companyKey,
        'content-type': recorded.headers['content-type'],
        ...(sentKey !== '' && { [keyHeader]: sentKey }),
        ...(step !== undefined && { [stepHeader]: step }),
        ...(subject() && { [subjectHeader]: subject() }),
        ...(key === 'same' && sentKey !== '' && status === 200 && { [replayHeader]: 'only' }),
      },
    });
    if (method !== 'GET') syncCompany(name, String(headers[companyHeader] ?? ''), companyKey);
    return { url, sentKey };
  } catch (error) {
    return { url, sentKey, failure: hasFailed(error) ? problemOf(error, name) : (error as Problem) }; // of `requireReachable`
  } finally {
    if (method !== 'GET') tellOtherTabs();
  }
}

/**
 * Sends a recorded call again and resolves with the entry of the new one, also if the call was refused. Rejects with a
 * Problem if the timeline does not show it.
 */
export async function sendRecorded(repeat: Repeat): Promise<TimelineEntry> {
  const { name, id } = repeat.call;
  const { url, sentKey, failure } = await send(repeat);
  if (failure?.code === 'console-unreachable') throw failure; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
  const { data } = await call('getTimeline', { query: { kind: 'call', name } });
  const sent = data.find(
    (each) =>
      Number(each.id) > Number(id) &&
      each.url === url &&
      (each.request.headers[keyHeader] ?? '') === sentKey &&
      each.status === (failure?.status ?? 200),
  );
  if (sent) return sent;
  const unkept: Problem = {
    type: 'about:blank',
    title: 'It was sent again, but the timeline does not keep it',
    status: 404,
    detail: '',
    code: 'not-found',
  };
  throw failure ?? unkept; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
}
