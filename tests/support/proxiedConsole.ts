import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabClock } from '#contract/lab.ts';
import { newConsole } from './consoleProcess.ts';
import { labAt } from './lab.ts';
import { liveEnvironment } from './liveEnvironment.ts';
import { openProxy } from './proxy.ts';
import { sandboxBeside } from './sandboxBeside.ts';

/**
 * Starts a console whose service is a sandbox, a proxy in front of the console and another in front of the service; the
 * sandbox keeps running when the console is killed.
 */
export async function openBetween() {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-console-'));
  const store = join(dataDir, 'console.sqlite');
  let service = '';
  const back = await openProxy(() => service);
  const program = await newConsole({ ...liveEnvironment(back.url), STORE_URL: `file:${store}` });
  const front = await openProxy(() => program.url);
  const sandbox = await sandboxBeside({ consoleUrl: program.url, publicUrl: back.url });
  service = sandbox.url;
  const lab = labAt(service);
  await program.start();

  return {
    program,
    /** The proxy between browser and console. */
    front,
    /** The proxy between console and service. */
    back,
    /** The service's fault lab. */
    lab,
    made: sandbox.made,
    /** Stops the service's clock at the present time: it answers requests, but makes no decisions and sends no webhooks. */
    async pause() {
      const { offset } = (await lab.ask('PATCH', '/clock', { still: true })) as LabClock; // the answer to this call
      await lab.ask('PATCH', '/clock', { move: -Math.round(offset) });
    },
    /** Sets the service's clock to the machine's time, as if it had never stood still. */
    resume: () => lab.ask('DELETE', '/clock'),
    /** Number of decisions and webhooks that the service still has to make or send. */
    pending: async () => ((await lab.ask('GET', '/clock')) as LabClock).pending, // the answer to this call
    /** Whether the service is doing nothing: no webhook is on its way, and none leaves before its clock goes on. */
    isSettled: sandbox.isSettled,
    /** Paths of the SQLite files of console and service. */
    files: { console: store, service: sandbox.file },
    async close() {
      await front.close();
      await program.remove();
      await back.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type Between = Awaited<ReturnType<typeof openBetween>>;
