import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { env } from 'node:process';
import { defineConfig } from 'vitest/config';
import LongestFirst from './tests/support/longestFirst.ts';

/** Whether this is `npm test`. It leaves out the long files, which run if they are named, and in `npm run test:all`. */
const isQuick = env['QUICK'] === 'true';
const long = isQuick ? ['tests/**/*.long.test.{ts,tsx}'] : [];

/** The generated paths on the screens of jsdom, where they replace what takes long. */
const generated = ['tests/paths/*.test.tsx'];

/** All files of tests. */
const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map(
  (file) => `tests/${file.replaceAll('\\', '/')}`,
);

/** Plain tests that replace modules, or measure the process that they run in: each has one of its own. */
const alone = files
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('tests/browser/'))
  .filter((file) => /vi\.(mock|stub\w+)\(|watchStalls|memoryInUse/.test(readFileSync(file, 'utf8')));

/** The same of components: a module that another file has loaded could not be replaced. */
const aloneInDom = files.filter((file) => file.endsWith('.test.tsx') && /vi\.mock\(/.test(readFileSync(file, 'utf8')));

/** Plain tests of the page, which need a document as its components do; a worker of `node` would have to end for each. */
const pageTests = files
  .filter((file) => file.endsWith('.test.ts') && !alone.includes(file))
  .filter((file) => readFileSync(file, 'utf8').startsWith('// @vitest-environment jsdom'));

/** Tests of console and sandbox that `npm run test:all` runs a second time, on PostgreSQL. */
const onPostgres = [
  'server/endToEnd/guidedPath',
  'server/writes/journal',
  'server/webhooks/webhooks',
  'sandbox/payment/batches',
  'server/timeline/timeline',
  'server/programs/tokens',
  'server/companies/workspaces',
  'sandbox/subscription/subscriptions',
  'server/messages/messages',
  'server/messages/overlappingMessages',
  'server/companies/companies',
  'server/messages/queryAnswers',
  'server/messages/resend',
  'server/payments/attempts',
  'server/payments/paidForCompany',
  'server/payments/settled',
  'server/webhooks/inbox',
  'server/auth/sessionRecheck',
  'server/api/settings',
  'sandbox/applications',
  'sandbox/onboarding/authService',
  'sandbox/faults/clock',
  'sandbox/faults/lifecycleFaults',
  'sandbox/faults/faultRules',
  'sandbox/party/messages',
  'sandbox/webhooks/resend',
].flatMap((name) => {
  const found = files.filter((file) => file === `tests/${name}.test.ts` || file === `tests/${name}.long.test.ts`);
  if (found.length === 0) throw new Error(`onPostgres names ${name}, of which there is no test`);
  return found;
});

// Programs that tests start print their addresses as sentences.
env['LOG_FORMAT'] ??= 'text';

/** Where nobody is there to look again; the report says which test needed it. */
const retry = env['CI'] ? 1 : 0;

/** Thousands of short lives: collected seldom, they cost a fraction. */
const garbage = ['--max-semi-space-size=64'];

/** The storage of jsdom, in whose place Node from 25 on would offer its own, which keeps nothing. */
const jsdomStorage = process.allowedNodeEnvironmentFlags.has('--experimental-webstorage')
  ? ['--no-experimental-webstorage']
  : [];

/** Half of what a test takes is waiting: for a page, a limit of time, a console that starts. Three workers keep two cores busy. */
const maxWorkers = Math.ceil(1.5 * availableParallelism());

/** What each file needs before its tests. */
const setupFiles = ['tests/support/compiler.ts'];
/** And each file of the server and the sandbox. */
const serverSetup = [...setupFiles, 'tests/support/transactions.ts', 'tests/support/describedAnswers.ts'];

/** Plain tests, the charts', components under jsdom, and the whole program in a real Chromium. */
export default defineConfig({
  test: {
    maxWorkers,
    // A module is transformed once for all projects, and again when it has changed.
    experimental: { fsModuleCache: true },
    // The provider that tests sign in with warns of being what it is: one for tests.
    onConsoleLog: (log) => !log.includes('oidc-provider '),
    reporters: ['default', './tests/support/coverageReporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          testTimeout: 120_000,
          retry,
          setupFiles: serverSetup,
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/machines/**', 'tests/paths/**', ...alone, ...pageTests, ...long],
          // Server, sandbox and rules are loaded once for all files.
          isolate: false,
          execArgv: garbage,
        },
      },
      {
        test: {
          name: 'postgres',
          testTimeout: 120_000,
          retry,
          setupFiles,
          include: isQuick ? [] : onPostgres,
          env: { STORE: 'postgres' },
          isolate: false,
          execArgv: garbage,
        },
      },
      {
        test: {
          name: 'alone',
          testTimeout: 120_000,
          retry,
          setupFiles: serverSetup,
          include: alone,
          exclude: long,
          execArgv: jsdomStorage,
        },
      },
      {
        test: {
          name: 'machines',
          testTimeout: 120_000,
          setupFiles,
          include: ['tests/machines/**/*.test.ts', 'tests/paths/{actors,generation}.test.ts'],
          // Charts are pure: thousands of paths in seconds, once their modules are loaded.
          isolate: false,
          execArgv: garbage,
        },
      },
      {
        test: {
          name: 'dom',
          testTimeout: 120_000,
          retry,
          include: ['tests/**/*.test.tsx', ...pageTests],
          exclude: [...generated, ...long, ...aloneInDom],
          environment: 'jsdom',
          setupFiles: [...setupFiles, 'tests/support/jsdom.ts'],
          // The components' modules are loaded once for all files.
          isolate: false,
          execArgv: [...garbage, ...jsdomStorage],
        },
      },
      {
        test: {
          name: 'dom alone',
          testTimeout: 120_000,
          retry,
          include: aloneInDom,
          exclude: long,
          environment: 'jsdom',
          setupFiles: [...setupFiles, 'tests/support/jsdom.ts'],
          execArgv: jsdomStorage,
        },
      },
      {
        test: {
          name: 'screens',
          testTimeout: 120_000,
          retry,
          include: generated,
          environment: 'jsdom',
          setupFiles: [...setupFiles, 'tests/support/jsdom.ts'],
          // A thousand screens: their modules are loaded once, and what each leaves behind is cleared away together.
          isolate: false,
          execArgv: [...garbage, ...jsdomStorage],
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts', 'tests/paths/browser.long.test.ts'],
          exclude: long,
          globalSetup: ['tests/support/browserSetup.ts'],
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          isolate: false,
        },
      },
    ],
  },
});
