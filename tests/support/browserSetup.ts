import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ready } from '../../scripts/ready.mjs';
import { findChromium } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of the run is reached, over a web socket. */
    chromium: string;
  }
}

/** A page lives for a second: what the optimising compilers spend on it never pays. */
const args = ['--js-flags=--no-opt --no-maglev'];

/**
 * Prepares the build once, so that no two consoles do, and launches the one Chromium in which every test file has pages
 * of its own. Ends the run with a sentence that says how to install one if there is none.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ready();
  try {
    const server = await chromium.launchServer({ executablePath: findChromium(), host: '127.0.0.1', args });
    project.provide('chromium', server.wsEndpoint());
    return () => server.close();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
