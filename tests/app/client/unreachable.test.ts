// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '#app/client/client.ts';
import { connection } from '#app/client/connection.ts';
import { withIdempotencyKey } from '#app/client/withIdempotencyKey.ts';
import { calls, type CallName } from '#contract/calls.ts';

/** The requests made, by path, and how each path fails; absent if it succeeds. */
const made: string[] = [];
let broken: (url: string) => boolean = () => false;

vi.mock('#app/client/http.ts', () => ({
  request: ({ url }: { url: string }) => {
    made.push(url);
    return broken(url)
      ? Promise.reject(Object.assign(new Error('Network Error'), { isAxiosError: true }))
      : Promise.resolve({ data: {}, status: 200, headers: {} });
  },
  urlOf: (path: string) => path,
  hasFailed: () => true,
}));

const isOnline = vi.spyOn(navigator, 'onLine', 'get');
const isLost = vi.spyOn(connection, 'isLost');
const everything = { params: { entryId: '1', messageId: '1', ruleId: '1', batchId: '1', webhookId: '1', tokenId: '1', subscriptionId: '1' }, body: {}, key: 'key-1' }; // prettier-ignore
const send = (name: CallName) => call(name, everything as never).catch((error: unknown) => error);
const names = Object.keys(calls) as CallName[]; // of the declaration
const writes = names.filter((name) => calls[name].method !== 'GET');

beforeEach(() => {
  made.length = 0;
  broken = () => false;
  isOnline.mockReturnValue(true);
  isLost.mockReturnValue(false);
});

describe('a write while the page doubts that the server can be reached', () => {
  it.each([
    ['the browser is offline', () => isOnline.mockReturnValue(false)],
    ['its stream of events was lost', () => isLost.mockReturnValue(true)],
  ])('is not sent if the server does not respond to a read: %s (behaviour 4.57)', async (_, doubt) => {
    doubt();
    broken = () => true;
    for (const name of writes) {
      made.length = 0;
      expect(await send(name), name).toMatchObject({ code: 'console-unreachable', outcome: 'not-sent', call: name });
      expect(made, name).toEqual(['/healthz']);
    }
  });

  it('is sent if the server responds, as at the same machine without a network', async () => {
    isOnline.mockReturnValue(false);
    await send('createCompany');
    expect(made).toEqual(['/healthz', '/api/company']);
  });

  it.each([true, false])(
    'has an unknown outcome if its own request fails, whatever the browser says: online %s (behaviour 4.57)',
    async (online) => {
      isOnline.mockReturnValue(online);
      broken = (url) => url !== '/healthz';
      expect(await send('createBatch')).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('stays unknown if an earlier attempt is', async () => {
    broken = (url) => url !== '/healthz';
    const create = () =>
      withIdempotencyKey('createCompany', { name: 'Applewick' }, (key) =>
        call('createCompany', { body: {} as never, key }),
      );
    await expect(create()).rejects.toMatchObject({ outcome: 'unknown' });
    isOnline.mockReturnValue(false);
    broken = () => true;
    await expect(create()).rejects.toMatchObject({ outcome: 'unknown', repeat: 'not-sent' });
  });
});

it('a read, or a write without doubt, asks nothing before', async () => {
  await send('createCompany');
  isOnline.mockReturnValue(false);
  await send('getFacts');
  expect(made).toEqual(['/api/company', '/api/facts']);
});
