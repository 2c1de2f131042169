/**
 * Stryker's test runner of the machines: evaluates the bundle of a room's tests anew for each mutant, in one process,
 * and ends at the first test that fails.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import { TestStatus } from '@stryker-mutator/api/test-runner';
import { bundleOf } from './bundle.mjs';
import { room, rooms } from './rooms.mjs';

const config = {
  allowOnly: true,
  includeTaskLocation: false,
  hookTimeout: 30_000,
  // Stryker's own limit ends what runs too long.
  testTimeout: 600_000,
  maxConcurrency: 1,
  passWithNoTests: false,
  retry: 0,
  repeats: 0,
  tags: [],
  sequence: { hooks: 'stack', setupFiles: 'list', seed: 0, shuffle: false, concurrent: false },
  setupFiles: [],
};

const testsIn = (task) => (task.type === 'test' ? [task] : task.tasks.flatMap(testsIn));
const failureOf = ({ result }) => (result?.state === 'fail' ? (result.errors?.[0]?.message ?? 'It failed') : undefined);

class BundledTests {
  /** The first error that no test has caught: an actor that nobody listens to throws it later. */
  #uncaught;
  #script;
  #require;
  #startTests;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const { tests, others = [], without, area } = rooms[room];
    Object.assign(process.env, { VERDICT_ONLY: 'true', VITEST: 'true', ...(area && { AREA: area }) });
    for (const event of ['uncaughtException', 'unhandledRejection'])
      process.on(event, (error) => {
        this.#uncaught ??= String(error);
      });
    const vitest = await import('vitest');
    const load = createRequire(join(process.cwd(), 'package.json'));
    // The functions of vitest are modules of which there is one, which no mutant changes.
    this.#require = (name) => (name === 'vitest' ? vitest : load(name));
    this.#startTests = (await import('@vitest/runner')).startTests;
    const chosen = process.env.OWN_TESTS === 'true' ? tests : [...tests, ...others];
    this.#script = new Script(await bundleOf(chosen, without), { filename: `${room}.js` });
  }

  /** Loads and runs the tests of each file until one fails; returns those that ran. */
  async #run() {
    const module = {};
    this.#uncaught = undefined;
    this.#script.runInThisContext()(this.#require, module);
    await module.exports.ready();
    const ran = [];
    for (const { name, load } of module.exports.files) {
      const runner = { config: { ...config, root: process.cwd() }, pool: 'forks', importFile: () => load() };
      let failed = false;
      runner.onBeforeRunTask = (task) => {
        if (failed) task.mode = 'skip';
      };
      runner.onAfterRunTask = (task) => {
        failed ||= task.result?.state === 'fail';
      };
      const [file] = await this.#startTests([join(process.cwd(), name)], runner);
      const tests = testsIn(file).filter((each) => each.result);
      ran.push(
        ...tests.map((each) => ({
          id: `${name} ${each.name}`,
          name: each.name,
          failure: failureOf(each),
          timeSpentMs: each.result.duration ?? 0,
        })),
      );
      // A file that a mutant keeps from being loaded counts as a test that fails.
      const broken = failureOf(file);
      if (broken !== undefined && !ran.some(({ failure }) => failure !== undefined))
        ran.push({ id: name, name: `${name} can be loaded`, failure: broken, timeSpentMs: 0 });
      await new Promise((resolve) => void setTimeout(resolve));
      if (this.#uncaught !== undefined)
        ran.push({ id: name, name: `${name} leaves no error uncaught`, failure: this.#uncaught, timeSpentMs: 0 });
      if (ran.some(({ failure }) => failure !== undefined)) break;
    }
    return ran;
  }

  async dryRun() {
    const ran = await this.#run();
    return {
      status: 'complete',
      tests: ran.map(({ failure, ...test }) =>
        failure === undefined
          ? { ...test, status: TestStatus.Success }
          : { ...test, status: TestStatus.Failed, failureMessage: failure },
      ),
    };
  }

  async mutantRun({ activeMutant, hitLimit }) {
    const stryker = (globalThis.__stryker__ ??= {});
    Object.assign(stryker, {
      activeMutant: activeMutant.id,
      hitCount: hitLimit === undefined ? undefined : 0,
      hitLimit,
    });
    try {
      const ran = await this.#run();
      const failed = ran.find(({ failure }) => failure !== undefined);
      if (stryker.hitCount > stryker.hitLimit) return { status: 'timeout', reason: 'It runs without end' };
      return failed
        ? { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests: ran.length }
        : { status: 'survived', nrOfTests: ran.length };
    } catch (error) {
      return { status: 'killed', killedBy: ['load'], failureMessage: String(error), nrOfTests: 0 };
    } finally {
      stryker.activeMutant = undefined;
    }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'bundled', BundledTests)];
