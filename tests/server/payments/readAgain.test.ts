import { expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, consoleWith } from '#tests/support/consoleWithPayments.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';

/** A console without a timeline, with a batch at the service that has a status, and a clock that can be moved. */
async function consoleWithBatch() {
  const says = { status: 'Processing' };
  let passed = 0;
  const upstream = await fakeUpstream({
    [`${endpoints.batches}/b`]: (response, asked) => answering({ data: { batchId: 'b', ...says } })(response, asked),
  });
  const clock = { ...systemClock, now: () => systemClock.now() + passed };
  const folder = temporaryFolder();
  const { store, done } = await testConsole({ upstreamUrl: upstream.url, folder, clock, entries: 0 });
  const other = connectionTo(folder);
  /** Each encryption of a record has another text. */
  const stored = () => JSON.stringify(other.prepare('select value from records order by position').all([]));
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  await store.batches.put('b', { batchId: 'b', status: 'Received', amount: '', kind: 'file', postedAt: '' });
  return {
    /** Reads the batch at a time; returns when it counts as read, and whether that has written anything. */
    readAfter: async (ms: number, status = 'Processing') => {
      passed = ms;
      says.status = status;
      await done('getFacts'); // gets the token
      const before = stored();
      const { data } = await done('getBatch', { params: { batchId: 'b' } });
      const isWritten = stored() !== before;
      const { readAt, status: kept } = (await store.batches.get('b'))!; // was put
      expect([data.status, kept]).toEqual([status, status]);
      return { at: readAt!, isWritten };
    },
  };
}

it('A batch that is read again writes nothing for a minute, unless the service says something new', async () => {
  const { readAfter } = await consoleWithBatch();
  const first = await readAfter(0);
  expect(first.isWritten).toBe(true);
  for (const ms of [1000, 30_000, 50_000]) expect(await readAfter(ms)).toEqual({ at: first.at, isWritten: false });
  const later = await readAfter(61_000);
  expect(Date.parse(later.at) - Date.parse(first.at)).toBeGreaterThan(59_000);
  expect(later.isWritten).toBe(true);
  const news = await readAfter(62_000, 'Completed');
  expect(Date.parse(news.at)).toBeGreaterThan(Date.parse(later.at));
  expect(await readAfter(63_000, 'Completed')).toEqual({ at: news.at, isWritten: false });
});

it('A batch that is read again after the clock was set back counts as read at the new time', async () => {
  const { readAfter } = await consoleWithBatch();
  const first = await readAfter(120_000);
  const back = await readAfter(0);
  expect(Date.parse(back.at)).toBeLessThan(Date.parse(first.at));
});

it.each<[string, string, object, object]>([
  [
    'failed',
    'Failed',
    {},
    {
      ended: 'Failed',
      staysPaid: [
        {
          reason:
            'The service says Failed, and later Processing, of these payments; paying one again asks for your confirmation.',
          count: 1,
          invoices: ['invoice-1'],
        },
      ],
    },
  ],
  ['completed', 'Completed', {}, { ended: 'Completed' }],
])('A batch that has %s and is then in progress says what it was before', async (_, status, first, then) => {
  const says = { status };
  const { server } = await consoleWith((response, asked) =>
    asked.method === 'POST'
      ? answering({ data: { batchId: 'b', status: 'Received' } }, 201)(response, asked)
      : answering({ data: { batchId: 'b', ...says } })(response, asked),
  );
  await server.done('createBatch', { body: batch, key: 'key-1' });
  const read = async () => {
    const {
      data: _data,
      followed: _followed,
      skipped: _skipped,
      ...more
    } = await server.done('getBatch', { params: { batchId: 'b' } });
    return more;
  };
  expect(await read()).toEqual(first);
  says.status = 'Processing';
  expect(await read()).toEqual(then);
  says.status = status;
  expect(await read()).toMatchObject(status === 'Failed' ? {} : first);
});

it.each<['electronic' | 'file', object]>([
  ['electronic', {}],
  ['file', { fileFormatId: 'f' }],
])('The record of a batch says that it is %s', async (kind, more) => {
  const { server } = await consoleWith(answering({ data: { batchId: 'b', status: 'Received' } }, 201));
  await server.done('createBatch', { body: { ...batch, ...more }, key: 'key-1' });
  expect((await server.store.batches.get('b'))?.kind).toBe(kind);
});
