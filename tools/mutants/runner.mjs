import { TestRunner } from 'vitest';

/** Loads no more tests once one has failed: then the mutant is killed. */
export default class Runner extends TestRunner {
  #killed = false;

  async importFile(path, source) {
    if (source === 'collect' && this.#killed) return;
    await super.importFile(path, source);
  }

  async onAfterRunTask(task) {
    this.#killed ||= task.result?.state === 'fail';
    await super.onAfterRunTask(task);
  }
}
