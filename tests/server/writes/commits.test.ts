import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { defaultWorkspace } from '#server/http/user.ts';
import { batch, consoleWith, making, payment } from '#tests/support/consoleWithPayments.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The lengths (bytes) of the header of a write-ahead log of SQLite and of a frame (file format 2, section 4). */
const [logHeader, frameHeader] = [32, 24];

/** Returns the number of transactions in the log of a folder's file: the last frame of each has the size of the database. */
function commitsIn(folder: string): number {
  const log = readFileSync(join(folder, 'console.sqlite-wal'));
  const frame = frameHeader + log.readUInt32BE(8);
  let commits = 0;
  for (let at = logHeader; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  return commits;
}

it('POST /api/batchpayments commits twice: its claim with what it reserves, and its outcome with what it has made', async () => {
  const folder = temporaryFolder();
  const { server } = await consoleWith(making(), folder);
  const counts: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    // The timeline is written apart from calls, by a timer that this call may meet.
    await server.timelines.flush();
    const before = commitsIn(folder);
    const one = { ...payment!, remittanceInformation: { reference: `invoice-${index}` } };
    await server.done('createBatch', { body: { ...batch, externalId: `e-${index}`, payments: [one] } });
    counts.push(commitsIn(folder) - before);
  }
  expect(Math.min(...counts)).toBe(2);
});

it('POST /api/batchpayments reads the settings as it arrives, as it claims and as it changes the current batch among them', async () => {
  const { server } = await consoleWith(making());
  const { settings } = server.store.storage;
  const kept = settings.of(defaultWorkspace);
  const reads = [vi.spyOn(kept, 'get'), vi.spyOn(kept, 'getMany'), vi.spyOn(settings, 'companies')];
  await server.done('createBatch', { body: batch });
  await server.timelines.flush();
  expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 3, 0]);
  expect((await server.done('getSettings')).batchId).toBe('batch-1');
});
