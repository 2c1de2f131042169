import { defineConfig } from 'vitest/config';
import { room, rooms } from './rooms.mjs';

/** Stryker looks at tests only: to it, a file that a mutant keeps from being loaded has a test that fails. */
const tellUnloaded = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== 'fail' || file.tasks.length > 0) return;
    file.tasks.push({ type: 'test', name: 'can be loaded', mode: 'run', file, result: file.result });
  },
};

const { tests, others = [], without = [] } = rooms[room];

/** The tests of one room, in one worker that loads each module once. */
export default defineConfig({
  test: {
    include: process.env.OWN_TESTS === 'true' ? tests : [...tests, ...others],
    exclude: without,
    setupFiles: ['tests/support/compiler.ts'],
    reporters: [tellUnloaded],
    runner: 'tools/mutants/runner.mjs',
    isolate: false,
    testTimeout: 120_000,
  },
});
