import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { eventsPath } from '#server/api/events.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { freePort, newConsole } from '#tests/support/consoleProcess.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The sandbox on its own, as `npm run sandbox` starts it. */
async function sandboxAlone(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['scripts/start.mjs', 'sandbox'], {
    env: { ...process.env, SANDBOX_SECRET: sandboxSecret, DATA_DIR: temporaryFolder(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  while (!printed.includes('Sandbox: ')) printed += String(((await once(child.stdout, 'data')) as [Buffer])[0]); // of 'data'
}

it('A console works with a standalone sandbox whose URL for consoles differs from the one for browsers (behaviour 7.6)', async () => {
  const port = await freePort();
  const [called, visited] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const program = await newConsole({ SANDBOX_URL: called, SANDBOX_PUBLIC_URL: visited });
  onTestFinished(() => program.remove());
  await sandboxAlone({
    SANDBOX_PORT: String(port),
    SANDBOX_URL: called,
    SANDBOX_PUBLIC_URL: visited,
    WEBHOOK_URL: program.url + notificationsPath,
  });
  await program.start();
  const api = apiAt(program.url);
  const { done } = api;

  await onboard(api);
  const { rules, subscriptionId } = await subscribe(api);
  const facts = await done('getFacts');
  expect(facts.sandbox).toEqual({ url: visited, isApart: true });
  expect(facts.settings.subscriptions).toContain(`${visited}/provider/subscription/authorise/${subscriptionId}`);
  const { fileFormatId, specification } = (await done('getFileFormats')).data[0]!;
  const batchId = await pay(api, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
  await batchIn(api, 'PaymentFileAvailable', batchId);
  const link = (await done('getBatch', { params: { batchId } })).links!.paymentFile!;
  expect(link.startsWith(`${visited}/files/`)).toBe(true);
  const file = await fetch(`${program.url}/api/downloadpaymentfile/${encodeURIComponent(link)}`);
  expect([file.status, await file.text()]).toEqual([200, await (await fetch(link)).text()]);
  const { data } = await done('getTimeline', { query: { kind: 'service', limit: '100' } });
  expect(data.every(({ url }) => url.startsWith(called))).toBe(true);

  // The standalone sandbox sends no events: the console publishes its own changes only.
  const { next, leave } = eventsIn(await fetch(program.url + eventsPath));
  const fault = { kind: 'hold' } as const;
  await done('setFault', { body: { on: 'batch', of: 'any', fault, times: 'always', probability: 1, seed: 1 } });
  for (;;) {
    const event = await next();
    if (event?.event === 'news') break;
  }
  await leave();
  expect((await done('getLab')).data.rules).toMatchObject([{ fault }]);
  await done('emptySandbox');
  expect((await done('getLab')).data.rules).toEqual([]);
}, 120_000);
