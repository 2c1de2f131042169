import { mkdtemp, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { maximumPayments } from '#contract/constants.ts';
import type { Body } from '#contract/shapes.ts';
import { batchRequest, type BatchParts } from '#rules/batch.ts';
import { paymentForm } from '#rules/field.ts';
import { paymentExtras } from '#rules/payload.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { examples, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { started } from './processes.ts';
import { median, type Row } from './row.ts';

const payments = 2000;
const batches = 7;
/** Batches before, after which the engine has compiled what runs often. */
const warming = 2;

/**
 * Times (ms): before each webhook, so that none comes while a batch is forwarded; and after which those of the batch
 * before have come.
 */
const [delay, settling] = [300, 2500];

/** CPU time of this process spent on a function, in ms, and what it returned. */
function spentHere<T>(run: () => T): { ms: number; made: T } {
  const before = process.cpuUsage();
  const made = run();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, made };
}

/** The CPU time of ours that a batch of 2,000 payments takes: mapped as the page does, checked and forwarded. */
export async function* rows(): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const program = await newConsole({ RATE_LIMIT: '100000' });
  const sandbox = await started('sandbox.ts', folder, program.url + notificationsPath, String(delay));
  try {
    await program.start(liveEnvironment(sandbox.url));
    const server = apiAt(program.url);
    await onboard(server);
    const { rules, subscriptionId } = await subscribe(server);
    const form = paymentForm(rules);
    const [debtor] = (await server.done('getDebtors')).data;
    const given: Omit<BatchParts, 'externalId' | 'invoices'> = {
      subscriptionId,
      debtor: debtor!, // created by subscribe
      creditors: (await server.done('getCreditors')).data,
      extras: paymentExtras(form, examples(form)),
      today: new Date().toISOString().slice(0, 10),
    };
    const { data: invoices } = await server.done('getInvoices', { query: { count: String(maximumPayments) } });
    const spent: { mapped: number; sent: number }[] = [];
    for (let turn = 0; turn < warming + batches; turn += 1) {
      const own = invoices.slice(0, payments).map((each) => ({ ...each, invoiceId: `${each.invoiceId}-${turn}` }));
      const mapped = spentHere(() => batchRequest({ ...given, externalId: randomUUID(), invoices: own }));
      const body: Body<'createBatch'> = mapped.made;
      await wait(settling);
      const before = await program.cpu();
      await server.done('createBatch', { body });
      spent.push({ mapped: mapped.ms, sent: (await program.cpu()) - before });
    }
    const warm = spent.slice(warming);
    yield {
      what: `a batch of ${payments} payments mapped, checked and forwarded: CPU time of ours`,
      unit: 'ms',
      ours: median(warm.map(({ mapped, sent }) => mapped + sent)),
      aim: { most: 60 },
    };
  } finally {
    await program.remove();
    await sandbox.end();
    await rm(folder, { recursive: true, force: true });
  }
}
