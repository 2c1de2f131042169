import type { ProgramVerdict } from '#contract/programShapes.ts';
import { shellWord } from '#server/http/ownCommands.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { checks, combined } from './checks/index.ts';
import { mendsOf } from './mends.ts';
import { readProgress, readReport, type StoredPast, type StoredReport } from './storedVerification.ts';

type Verification = Omit<ProgramVerdict, 'connection'>;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // of the system
  }
}

const early = 'The latest verification was ended before its verdict.';

const titleOf = (failed: string): string => checks.find(({ id }) => id === failed)?.title ?? failed;

/** What a report says in short, as it stands among later ones. */
export function pastOf({ endedAt, scenarios, allowed }: Omit<StoredReport, 'earlier'>): StoredPast {
  const found = checks.map(({ id }) => ({
    id,
    verdict: combined(scenarios.flatMap(({ verdicts }) => (verdicts[id] ? [verdicts[id]] : []))),
  }));
  return {
    endedAt,
    passed: found.filter(({ verdict }) => verdict === 'passed').length,
    failed: found.filter(({ id, verdict }) => verdict === 'failed' && !allowed[id]).map(({ id }) => id),
  };
}

function shownReport(report: StoredReport): Verification['report'] {
  const { command, endedAt, ms, scenarios, latest = scenarios.length, all = scenarios.length, allowed, again } = report;
  const shown = checks.map(({ id, group, title, why, mend }) => {
    const found = scenarios.flatMap(({ id: scenario, verdicts }) => {
      const verdict = verdicts[id];
      return verdict ? [{ scenario, ...verdict }] : [];
    });
    const findings = found.flatMap(({ scenario, seen }) => seen.map((each) => ({ ...each, scenario })));
    return {
      id,
      group,
      title,
      why,
      mend: mendsOf(mend, findings).join(' '),
      verdict: combined(found),
      allowed: allowed[id] ?? '',
      seen: findings.map(({ says, scenario, calls }) => ({ says, scenario, calls })),
    };
  });
  const failing = new Set(shown.flatMap(({ seen }) => seen.map(({ scenario }) => scenario)));
  return {
    command,
    again: again ? again.options.map(shellWord).join(' ') : null,
    endedAt,
    ms,
    scenarios: scenarios.length,
    latest,
    all,
    checks: shown,
    history: [...report.earlier, pastOf(report)].map((each) => ({ ...each, failed: each.failed.map(titleOf) })),
    failed: scenarios.filter(({ id }) => failing.has(id)).map(({ id, title, calls }) => ({ id, title, calls })),
  };
}

/** Returns what `verify` has stored in the console's data folder: how far it is, and its latest verdict. */
export async function storedVerdict(folder: string): Promise<Verification> {
  const [report, progress] = await Promise.all([readReport(folder), readProgress(folder)]);
  const isRunning = progress?.failure === '' && isAlive(progress.pid);
  return {
    running: isRunning ? { startedAt: progress.startedAt, done: progress.done, of: progress.of } : null,
    stopped: progress && !isRunning ? progress.failure || early : '',
    report: report && shownReport(report),
  };
}

/** What a console shows that tells of no verification. */
export const noVerification: Verification = { running: null, stopped: '', report: null };

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
