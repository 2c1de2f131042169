import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { pictureFile, pictureNames, pictureWindow, stillLines, walkPictured, type PictureName } from './pictured.ts';
import { visit } from './visit.ts';

it('the pictures in docs/pictures show the pages as they are; otherwise npm run pictures -- docs takes them anew', async () => {
  const program = await newConsole();
  onTestFinished(() => program.remove());
  await program.start();
  const browser = await chromium.connect(inject('chromium'));
  onTestFinished(() => browser.close());
  const { page } = await visit(browser, program.url, pictureWindow);
  const shown = new Map<PictureName, string[]>();
  await walkPictured(page, async (name) => shown.set(name, await stillLines(page)));
  expect([...shown.keys()].sort()).toEqual([...pictureNames].sort());
  for (const [name, lines] of shown) {
    const [, ...taken] = readFileSync(pictureFile(name, 'txt'), 'utf8').trimEnd().split('\n');
    const gone = taken.filter((line) => !lines.includes(line));
    const fresh = lines.filter((line) => !taken.includes(line));
    expect.soft({ name, gone, fresh }).toEqual({ name, gone: [], fresh: [] });
  }
}, 240_000);
