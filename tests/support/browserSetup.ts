import type { TestProject } from 'vitest/node';
import { findChromium } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: string;
  }
}

/** Finds a Chromium before the browser tests, or ends the run with a sentence that says how to install one. */
export default function setup(project: TestProject): void {
  try {
    project.provide('chromium', findChromium());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
