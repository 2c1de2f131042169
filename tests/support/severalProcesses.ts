import { randomBytes } from 'node:crypto';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { balance } from './loadBalancer.ts';
import { labAt } from './lab.ts';
import { freePort, newConsole, type ConsoleProcess } from './consoleProcess.ts';
import { startPostgres } from './postgres.ts';
import { sandboxSecret } from './sandboxCredentials.ts';
import { sandboxBeside } from './sandboxBeside.ts';

/** Starts `count` consoles in processes of their own, on one database and with one sandbox, which are visited at the URL that `settings` gets for further variables. */
export async function severalProcesses(
  count: number,
  settings: (url: string) => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
) {
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
    consoles: consoles as readonly ConsoleProcess[],
    /** In front of all of them. */
    proxy,
    database,
    /** The fault lab of the application that has an organisation. */
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
export type SeveralProcesses = Awaited<ReturnType<typeof severalProcesses>>;
