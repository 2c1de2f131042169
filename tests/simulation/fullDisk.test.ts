import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { DiskPoint } from './disk.ts';
import { onboard, type Company } from './onboard.ts';
import { emptyLedger, invoicesOf, pays, paysByFile, settles } from './users.ts';
import { openWorld, type Start, type World } from './world.ts';

const minute = 60_000;

let company: Company;
let start: Start;
beforeAll(async () => {
  const world = await openWorld(0, { servers: 1 });
  await world.run(onboard(world).then((made) => void (company = made)));
  start = await world.state();
  await world.close();
});

/** What makes the console work: users who read, write and pay, messages, and the service's webhooks. */
async function use(world: World, first: number): Promise<void> {
  const { api, scheduler } = world;
  const { subscriptionId } = company;
  const ledger = emptyLedger();
  const habit = { choice: scheduler.of('a user'), patience: 5000 };
  const asks = ['getFacts', 'getTimeline', 'listMessages', 'listWebhooks', 'getPostedBatches', 'getInvoices'] as const;
  await Promise.all([
    pays(world, company, ledger, invoicesOf(company).slice(first, first + 2), habit),
    paysByFile(world, company, ledger, 'a user of files'),
    api.call('queryDebtors', { body: { data: { subscriptionId } } }),
    ...asks.map((name) => api.call(name)),
  ]);
  await settles(world, ledger);
}

const all: readonly DiskPoint[] = ['write', 'read', 'commit'];
/** What fails, on how many servers, from which statement on. */
const faults: [what: string, servers: 1 | 2, from: number, points: readonly DiskPoint[]][] = [
  ['writes', 1, 20, ['write']],
  ['commits', 2, 60, ['commit']],
  ['statements of any kind', 1, 90, all],
  ['statements of any kind', 2, 40, all],
];

it.each(faults)(
  'while all %s fail for two hours, %i servers repeat nothing without a pause, and work again afterwards',
  async (_, servers, from, points) => {
    const world = await openWorld(1, { servers, from: start });
    onTestFinished(() => world.close());
    const { scheduler, disk, log } = world;
    const { strike } = disk;
    let [statements, failed] = [0, 0];
    disk.strike = (_owner, point) => {
      statements += 1;
      if (statements < from || !points.includes(point)) return undefined;
      failed += 1;
      return 'full';
    };
    const done = () => ({ failed, lines: log.length, events: scheduler.steps });
    await world.run(use(world, 0));
    expect(failed).toBeGreaterThan(5);
    for (let each = 0; each < 120; each += 1) {
      const before = done();
      await world.run(scheduler.wait(minute));
      const after = done();
      // Of the service, which delivers its webhooks again.
      expect(after.failed - before.failed).toBeLessThan(60);
      expect(after.lines - before.lines).toBeLessThan(60);
      expect(after.events - before.events).toBeLessThan(600);
    }
    disk.strike = strike;
    const before = (await world.sandbox.batches()).length;
    await world.run(use(world, 4));
    expect((await world.sandbox.batches()).length).toBeGreaterThan(before);
    expect(world.errors).toEqual([]);
  },
);
