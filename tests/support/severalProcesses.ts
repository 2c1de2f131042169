import { randomBytes } from 'node:crypto';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { balance, type Balancer } from './loadBalancer.ts';
import { labAt } from './lab.ts';
import { freePort, newConsole, type ConsoleProcess } from './consoleProcess.ts';
import { startPostgres } from './postgres.ts';
import { sandboxSecret } from './sandboxCredentials.ts';
import { sandboxBeside, type SandboxRecords } from './sandboxBeside.ts';

/** Consoles in processes of their own, on one database and with one sandbox. */
export interface SeveralProcesses {
  consoles: readonly ConsoleProcess[];
  /** In front of all of them. */
  proxy: Balancer;
  database: Awaited<ReturnType<typeof startPostgres>>;
  /** The fault lab of the application that has an organisation. */
  lab(): ReturnType<typeof labAt>;
  /** Ids of the resources of this kind that the sandbox has created. */
  made(kind: keyof SandboxRecords): string[];
  close(): Promise<void>;
}

/** Starts `count` consoles, which are visited at the URL that `settings` gets for further variables. */
export async function severalProcesses(
  count: number,
  settings: (url: string) => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): Promise<SeveralProcesses> {
  const database = await startPostgres();
  const port = await freePort();
  const SANDBOX_URL = `http://127.0.0.1:${port}`;
  const consoles: ConsoleProcess[] = [];
  const proxy = await balance(() => consoles.map(({ url }) => url));
  const common = {
    ...(await settings(proxy.url)),
    SANDBOX_URL,
    STORE_URL: database.url,
    STORE_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT: '1000',
  };
  for (let index = 0; index < count; index += 1) consoles.push(await newConsole(common));
  const sandbox = await sandboxBeside({ consoleUrl: proxy.url, publicUrl: SANDBOX_URL, port });
  await Promise.all(consoles.map((each) => each.start()));
  const application = sandbox.records.prepare(
    `select workspace as name from records where kind = 'organisation' limit 1`,
  );

  return {
    consoles,
    proxy,
    database,
    lab() {
      const { name } = application.get() as { name: string }; // as the statement selects it
      const { path, resetToken } = credentialsOf(sandboxSecret, name);
      return labAt(SANDBOX_URL + path, resetToken);
    },
    made: sandbox.made,
    async close() {
      for (const each of consoles) await each.remove();
      await proxy.close();
      await sandbox.close();
      await database.end();
    },
  };
}
