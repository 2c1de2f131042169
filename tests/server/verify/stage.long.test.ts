import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sandboxService } from '#server/verify/sandboxService.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import { openStage } from '#server/verify/stage.ts';

it.each([
  ['two hours older', 'killed', 2],
  ['as it was, because the key of a bank file ends before', 'file-link', 0],
])('a program that is started again finds its state %s (behaviour 10.21.20)', async (_, id, hours) => {
  const folder = await mkdtemp(join(tmpdir(), 'stage-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lock = join(folder, 'state', 'lock');
  await mkdir(join(folder, 'state'));
  await writeFile(lock, '');
  const openService = sandboxService();
  const service = await openService({ seed: 7, webhookPort: 9, env: {} });
  onTestFinished(service.close);
  const stage = openStage({
    scenario: scenarios.find((each) => each.id === id)!, // there is one
    service,
    folder,
    webhookPort: 9,
    setting: {
      command: ['true'],
      env: process.env,
      seed: 7,
      limit: 5000,
      folder,
      isService: false,
      isAlone: false,
      webhookPort: 9,
      openService,
    },
  });
  const age = async (isLater: boolean) => {
    const before = (await stat(lock)).mtimeMs;
    await (
      await stage.start([], { isLater })
    ).ended;
    return Math.round((before - (await stat(lock)).mtimeMs) / 3_600_000);
  };
  expect([await age(false), await age(true)]).toEqual([0, hours]);
});
