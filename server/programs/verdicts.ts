import type { ProgramVerdict } from '#contract/programShapes.ts';
import { Failure } from '#server/failure.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { startGroup } from '../../scripts/processes.mjs';
import { checks, combined } from './checks/index.ts';
import {
  progressFile,
  progressShape,
  readStored,
  reportFile,
  reportShape,
  type StoredProgress,
  type StoredReport,
} from './storedVerification.ts';

type Verification = Omit<ProgramVerdict, 'connection'>;

/** Where verifications are told of, and how one is started. */
export interface VerifyPlace {
  /** The console's data folder. */
  folder: string;
  /** The script of the command; '' where none may be run: beyond this machine, or without it. */
  script: string;
  /** The environment of the script: never the console's own settings. */
  env: Readonly<Record<string, string | undefined>>;
}

/** Starts a program; resolves with its exit status and the last line of its errors. */
export type RunProgram = (
  command: readonly string[],
  place: { cwd: string; env: VerifyPlace['env'] },
) => Promise<{ status: number | null; said: string }>;

const runProgram: RunProgram = ([program = '', ...args], { cwd, env }) =>
  new Promise((resolve) => {
    const { child } = startGroup(program, args, { cwd, env: { ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000))); // piped
    const ended = (status: number | null, last: string) =>
      resolve({ status, said: last.trim().split('\n').at(-1) ?? '' });
    child.once('error', ({ message }) => ended(null, message));
    child.once('close', (status) => ended(status, said));
  });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // of the system
  }
}

const early = 'The latest verification was ended before its verdict.';

function shownReport(report: StoredReport): Verification['report'] {
  const { command, endedAt, ms, scenarios, latest = scenarios.length, all = scenarios.length, allowed } = report;
  const shown = checks.map(({ id, group, title, why, mend }) => {
    const found = scenarios.flatMap(({ id: scenario, verdicts }) => {
      const verdict = verdicts[id];
      return verdict ? [{ scenario, ...verdict }] : [];
    });
    return {
      id,
      group,
      title,
      why,
      mend,
      verdict: combined(found),
      allowed: allowed[id] ?? '',
      seen: found.flatMap(({ scenario, seen }) => seen.map((each) => ({ ...each, scenario }))),
    };
  });
  const failing = new Set(shown.flatMap(({ seen }) => seen.map(({ scenario }) => scenario)));
  return {
    command,
    endedAt,
    ms,
    scenarios: scenarios.length,
    latest,
    all,
    checks: shown,
    failed: scenarios.filter(({ id }) => failing.has(id)).map(({ id, title, calls }) => ({ id, title, calls })),
  };
}

/** Reads what `verify` has stored for this console, and runs its scenarios again. */
export function createVerdicts({ folder, script, env }: VerifyPlace, run: RunProgram = runProgram) {
  /** The run that this console has started. */
  let own: { startedAt: string } | null = null;
  let stopped = '';

  const readReport = () => readStored(reportFile(folder), reportShape);
  async function readRunning(): Promise<{ progress: StoredProgress | null; running: Verification['running'] }> {
    const progress = await readStored(progressFile(folder), progressShape);
    const runs = progress?.failure === '' && isAlive(progress.pid);
    if (progress && runs) return { progress, running: progress };
    return { progress, running: own && { ...own, done: 0, of: 1 } };
  }
  function blockedFor(report: StoredReport | null): string {
    if (script === '') return 'Scenarios are run from here only where the console listens on this machine alone.';
    if (report && !report.again) return 'The command contains a secret, so it is not stored: run it in a terminal.';
    return '';
  }

  return {
    read: async (): Promise<Verification> => {
      const [report, { progress, running }] = await Promise.all([readReport(), readRunning()]);
      return {
        running: running && { startedAt: running.startedAt, done: running.done, of: running.of },
        stopped: running ? '' : progress ? progress.failure || early : stopped,
        blocked: blockedFor(report),
        report: report && shownReport(report),
      };
    },
    /** Runs a scenario of the stored verification by its stored command. Throws a Failure if that is not possible. */
    again: async (scenario: string): Promise<void> => {
      const report = await readReport();
      const blocked = blockedFor(report);
      if (blocked !== '') throw new Failure('forbidden', blocked);
      if (!report?.again || !report.scenarios.some(({ id }) => id === scenario))
        throw new Failure('not-found', 'The latest verification has no such scenario: read it again.');
      if (own ?? (await readRunning()).running)
        throw new Failure('message-pending', 'A verification is running: wait until it has ended.');
      own = { startedAt: new Date().toISOString() };
      stopped = '';
      const { options, program } = report.again;
      const command = [process.execPath, script, ...options, '--only', scenario, '--data', folder, '--', ...program];
      void run(command, { cwd: report.folder, env }).then(({ status, said }) => {
        own = null;
        if (status !== 0 && status !== 1)
          stopped = `The verification ended without a verdict${said === '' ? '.' : `: ${said}`}`;
      });
    },
  };
}

export type Verdicts = ReturnType<typeof createVerdicts>;

/** What a console shows that tells of no verification. */
export const noVerification: Verification = { running: null, stopped: '', blocked: '', report: null };

/** Returns what programs were first seen to do among the latest calls. */
export function connectionOf({ calls }: Pick<RecordedApplication, 'calls'>): NonNullable<ProgramVerdict['connection']> {
  const seen = (found: RecordedApplication['calls'][number] | undefined) =>
    found ? { at: new Date(found.at).toISOString(), status: found.status } : null;
  const payments = calls.filter(({ operation }) => operation === 'createBatch');
  const last = calls.at(-1);
  return {
    calls: calls.length,
    lastAt: last ? new Date(last.at).toISOString() : '',
    call: seen(calls[0]),
    payment: seen(payments.find(({ status }) => status >= 200 && status < 300) ?? payments.at(-1)),
  };
}
