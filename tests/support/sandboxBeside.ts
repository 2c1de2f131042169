import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { notificationsPath } from '#server/http/paths.ts';
import type { Company, Organisation } from '#server/sandbox/onboarding/records.ts';
import type { BatchRecord } from '#server/sandbox/payment/records.ts';
import type { SubscriptionRecord } from '#server/sandbox/subscription/records.ts';
import { sandboxSecret } from './sandboxCredentials.ts';
import { withSandboxKey } from './sandboxKey.ts';

/** The records of the sandbox's store that tests read from outside, by kind. */
export interface SandboxRecords {
  organisation: Organisation;
  company: Company;
  account: { sub: string };
  subscription: SubscriptionRecord;
  debtor: object;
  creditor: object;
  batch: BatchRecord;
}

interface Where {
  /** The console's URL, to which it sends its webhooks. */
  consoleUrl: string;
  /** The URL by which it is reached. */
  publicUrl: string;
  /** By default a free one. */
  port?: number;
}

/** A sandbox of this process for consoles in processes of their own: it goes on when they are killed. */
export async function sandboxBeside({ consoleUrl, publicUrl, port = 0 }: Where) {
  const data = await withSandboxKey(await mkdtemp(join(tmpdir(), 'payments-out-sandbox-')));
  const file = join(data, 'sandbox.sqlite');
  const sandbox = await createSandbox({
    secret: sandboxSecret,
    data,
    port,
    webhookUrl: consoleUrl + notificationsPath,
    recorded: 0,
    config: { publicUrl, webhookDelay: 50, stepDelay: 50, everyDay: true },
  });
  const records = new Database(file);
  const ids = records.prepare('select id from records where kind = ? order by position');
  return {
    url: sandbox.url,
    isSettled: sandbox.isSettled,
    file,
    records,
    /** Ids of the resources of this kind that it has created. */
    made: (kind: keyof SandboxRecords): string[] => (ids.all(kind) as { id: string }[]).map(({ id }) => id), // the statement selects this column
    async close() {
      await sandbox.close();
      records.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
