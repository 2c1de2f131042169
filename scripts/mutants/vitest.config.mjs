import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { room, rooms } from './rooms.mjs';

/** The generated paths first: most mutants of a chart die there. */
class ModelsFirst extends BaseSequencer {
  sort(files) {
    const late = ({ moduleId }) => Number(!moduleId.includes('.model.test'));
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
    reporters: [tellUnloaded],
    runner: 'scripts/mutants/runner.mjs',
    sequence: { sequencer: ModelsFirst },
    isolate: false,
    env: { VERDICT_ONLY: 'true' },
    testTimeout: 30_000,
  },
});
