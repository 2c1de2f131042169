import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, vi } from 'vitest';
import { batch, consoleWith, making, payment } from '#tests/support/consoleWithPayments.ts';
import { watchStalls } from '#tests/support/stalls.ts';
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

it('POST /api/batchpayments asks the store for the settings as it arrives, and for those among which it changes the current batch', async () => {
  const driver = new Database(':memory:');
  const asked: string[] = [];
  const prepare = driver.prepare.bind(driver);
  vi.spyOn(driver, 'prepare').mockImplementation((text) => {
    const statement = prepare(text);
    const all = statement.all.bind(statement);
    return Object.assign(statement, { all: (values: unknown[]) => (asked.push(text), all(values)) });
  });
  const { server } = await consoleWith(making(), temporaryFolder(), Date.now(), { openDriver: () => driver });
  asked.length = 0;
  await server.done('createBatch', { body: batch });
  await server.timelines.flush();
  expect(asked.filter((text) => /^select .* from "settings"/.test(text))).toHaveLength(2);
  expect((await server.done('getSettings')).batchId).toBe('batch-1');
});

it('POST /api/batchpayments of 2,000 payments lets others have their turn between its parts, of which none is an eighth of all', async () => {
  const { server } = await consoleWith(making(), temporaryFolder());
  const stalls = watchStalls();
  const shares: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const payments = Array.from({ length: 2000 }, (_, line) => ({
      ...payment!,
      remittanceInformation: { reference: `invoice-${index}-${line}` },
    }));
    const before = process.cpuUsage();
    stalls.longest();
    await server.done('createBatch', { body: { ...batch, externalId: `e-${index}`, payments } });
    await server.timelines.flush();
    const { user, system } = process.cpuUsage(before);
    shares.push(stalls.longest() / ((user + system) / 1000));
  }
  // The first one is compiled meanwhile; what is collected counts too.
  expect(Math.min(...shares.slice(1))).toBeLessThan(1 / 8);
});
