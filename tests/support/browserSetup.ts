import type { TestProject } from 'vitest/node';
import { findChromium } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: string;
  }
}

/** Before the tests in the browser: finds a Chromium, or ends the run with the sentence that says how to get one. */
export default function setup(project: TestProject): void {
  try {
    project.provide('chromium', findChromium());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
