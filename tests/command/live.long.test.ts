import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '#command/main.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { plain } from '#runner/file.ts';
import type { Walk } from '#runner/actions.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { walkOf } from '#tests/support/recordedWalk.ts';
import { fileOf } from '#tests/support/journeyFile.ts';

const path = join(mkdtempSync(join(tmpdir(), 'live-')), 'journeys.json');

/** Runs a journey file, or the guided path without one, on a console in the live environment. */
async function run(url: string, walks: readonly Walk[] | null, ...more: string[]) {
  if (walks) writeFileSync(path, fileOf(walks));
  const printed: string[] = [];
  const print = (line: string) => {
    printed.push(line);
    // The user whose page it is.
    const [, link] = /Open this page and decide there: (\S+)/.exec(line) ?? [];
    if (link) void fetch(link, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
  };
  const args = ['--console', url, ...(walks ? ['--values', path] : []), ...more];
  const code = await main(args, { root: '.', env: {} }, { print, complain: print });
  return { code, printed: printed.join('\n') };
}

/** The journeys of the guided path with the sandbox's examples as values, without the network's. */
async function pathAsFile(): Promise<Walk[]> {
  const { walker } = await walkerOn();
  await walker.all([{ journey: 'settings', values: { useNetwork: 'false' }, choices: {} }]);
  return (await walker.guided()).flatMap((walked) => walkOf(walked) ?? []);
}

it('the journey command on a live service makes no choice by itself, and pays only the given total (threat 6.40)', async () => {
  const walks = await pathAsFile();
  const { url, done } = await testConsole({
    upstreamUrl: async (own) => (await testSandbox({ webhookUrl: own + notificationsPath })).url,
    changes: { environment: 'live' },
  });
  const nothing = await run(url, null);
  expect(nothing).toMatchObject({ code: 1 });
  expect(nothing.printed).toMatch(/FAILED {2}Settings \(settings\).*Provider country not chosen/);
  const empty = await run(url, [{ journey: 'organisation', values: { adminEmail: 'a@example.com' }, choices: {} }]);
  expect(empty.printed).toMatch(/FAILED .*The form was not accepted: sageCRMId: /);
  expect(await run(url, null, '--fault', 'createBatch:reset')).toMatchObject({
    code: 2,
    printed: '--fault is for the sandbox; this console uses a live service.',
  });
  expect(await run(url, null, '--scenario', 'answerLost')).toMatchObject({ code: 2 });
  expect((await run(url, [plain('userToken')])).printed).toMatch(/FAILED .*A user has to log in, in a browser/);

  const payment = walks.find(({ journey }) => journey === 'electronicPayment')!;
  const unpaid = await run(url, walks);
  expect(unpaid.code).toBe(1);
  const [, total = ''] = /choices\.total is "": the total to confirm is (.+)/.exec(unpaid.printed) ?? [];
  expect(total).toMatch(/^[\d,.]+ [A-Z]{3}$/);
  expect((await done('getFacts')).batches).toBe(0);
  const unnamed = await run(url, [{ ...payment, choices: {} }]);
  expect(unnamed.printed).toMatch(/choices\.invoices is missing/);
  const paid = await run(url, [{ ...payment, choices: { ...payment.choices, total } }, plain('batch')]);
  expect(paid).toMatchObject({ code: 0 });
  expect((await done('getFacts')).batches).toBe(1);
});
