import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { room, rooms } from './rooms.mjs';

/** An area's own tests first, where most of its mutants die; the generated paths last, because they take longest. */
class ModelsFirst extends BaseSequencer {
  sort(files) {
    const late = ({ moduleId }) => (moduleId.includes('/paths/') ? 2 : Number(!moduleId.includes('.model.test')));
    return files.toSorted((one, other) => late(one) - late(other));
  }
}

/** Stryker looks at tests only: to it, a file that a mutant keeps from being loaded has a test that fails. */
const tellUnloaded = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== 'fail' || file.tasks.length > 0) return;
    file.tasks.push({ type: 'test', name: 'can be loaded', mode: 'run', file, result: file.result });
  },
};

/** The tests of one room, in one worker that loads each module once. */
export default defineConfig({
  test: {
    include: rooms[room].tests,
    exclude: rooms[room].without ?? [],
    setupFiles: ['tests/support/compiler.ts'],
    reporters: [tellUnloaded],
    runner: 'tools/mutants/runner.mjs',
    sequence: { sequencer: ModelsFirst },
    isolate: false,
    env: { VERDICT_ONLY: 'true', ...(rooms[room].area && { AREA: rooms[room].area }) },
    testTimeout: 30_000,
  },
});
