import { execFileSync } from 'node:child_process';
import { findChromium, openBrowser } from '../../tests/support/browser.ts';
import { newConsole } from '../../tests/support/consoleProcess.ts';
import { loadRows } from './load.ts';
import type { Row } from './row.ts';
import { sessionRows } from './session.ts';

/** A result of size-limit; sizes in bytes of gzip. */
interface Size {
  name: string;
  size: number;
  sizeLimit: number;
}

/** What a first visit loads, beside its limits; those of the routes are checked by `npm test`. */
function sizes(): Row[] {
  const printed = execFileSync(process.execPath, ['node_modules/size-limit/bin.js', '--json'], { encoding: 'utf8' });
  const sizes = JSON.parse(printed) as Size[]; // its documented shape
  return sizes
    .filter(({ name }) => !name.startsWith('beyond these'))
    .map(({ name, size, sizeLimit }) => ({
      what: name,
      unit: 'kB',
      ours: size / 1000,
      aim: { most: sizeLimit / 1000 },
    }));
}

/** Sizes, the first visit, and a session, in Chromium. */
export const uses = ['Chromium', 'size-limit', 'web-vitals'];

export async function* rows(): AsyncGenerator<Row> {
  const program = await newConsole();
  const browser = await openBrowser(findChromium());
  try {
    await program.start(); // builds, if the build is stale
    yield* sizes();
    yield* await loadRows(browser, program.url);
    yield* await sessionRows(browser, program.url);
  } finally {
    await browser.close();
    await program.remove();
  }
}
