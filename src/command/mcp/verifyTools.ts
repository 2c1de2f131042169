import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { startGroup } from '../../../scripts/processes.mjs';
import { environmentWithoutConsole } from '../start.ts';
import { tool, type Tool } from './tool.ts';

/** The members of a report of `verify` that are read here (docs/verify.md). */
interface Report {
  ok: boolean;
  seed: number;
  checks: {
    id: string;
    title: string;
    verdict: string;
    why?: string;
    mend?: string;
    seen?: { scenario: string; says: string; calls: number[] }[];
  }[];
  scenarios: { id: string; title: string; runs: object[]; calls: object[] }[];
}

/** Number of places at which a mistake was seen that are given for each check. */
const mostSeen = 3;
/** Number of reports that are kept. */
const mostReports = 20;
/** Number of characters of the end of a command's output. */
const mostPrinted = 2000;

/** Throws an Error unless this is a folder. */
async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new Error(`folder ${folder} is not a folder: give the one in which the command runs`);
}

/** Runs `verify`; resolves to its exit status, the end of its output, and its report if it came to one. */
async function verify(
  root: string,
  args: readonly string[],
  { folder, signal, tell }: { folder: string; signal: AbortSignal; tell: (line: string) => void },
) {
  const place = await mkdtemp(join(tmpdir(), 'payments-out-agent-'));
  const path = join(place, 'report.json');
  try {
    const { child } = startGroup(process.execPath, [join(root, 'scripts/verify.mjs'), '--report', path, ...args], {
      cwd: folder,
      env: environmentWithoutConsole(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let printed = '';
    for (const stream of [child.stdout!, child.stderr!])
      // piped
      createInterface({ input: stream }).on('line', (line) => {
        printed = `${printed}${line}\n`.slice(-mostPrinted);
        tell(line);
      });
    const [status] = (await once(child, 'close')) as [number | null];
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return { status, printed, report: text === undefined ? undefined : (JSON.parse(text) as Report) }; // of verify
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The verdicts in short: what failed with its reason and mending, and how many checks came to which verdict. */
function verdictOf({ ok, seed, checks, scenarios }: Report) {
  const count = (verdict: string) => checks.filter((each) => each.verdict === verdict).length;
  return {
    ok,
    seed,
    passed: count('passed'),
    notExercised: count('not exercised'),
    scenarios: scenarios.map(({ id }) => id),
    failed: checks
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ id, title, why, mend, seen = [] }) => ({
        id,
        title,
        why,
        mend,
        seen: seen
          .slice(0, mostSeen)
          .map(({ scenario, says, calls }) => `${scenario}: ${says} (calls ${calls.join(', ')})`),
      })),
  };
}

/** The tools that run a program; `root` is the folder of the built console. */
export function verifyTools(root: string): readonly Tool[] {
  const reports = new Map<string, Report>();
  let count = 0;

  function keep(report: Report): string {
    const id = `verification-${(count += 1)}`;
    reports.set(id, report);
    for (const oldest of reports.keys()) if (reports.size > mostReports) reports.delete(oldest);
    return id;
  }

  return [
    tool({
      name: 'verify_program',
      title: 'Verify a program',
      says: 'Runs a command of this machine that pays invoices in situations in which payments go wrong, and judges it: which checks failed, why, and how to mend it. Each situation has a fresh sandbox. `only` names scenarios or checks, such as write-key, and takes seconds; all of them take minutes. The document verify.md lists them, and the variables that the program gets.',
      effect: 'runs',
      input: z.strictObject({
        command: z.array(z.string()).min(1, 'the command and its arguments, such as ["node", "pay.mjs"]'),
        folder: z.string().min(1).optional().describe('where the command runs; the agent’s own folder by default'),
        only: z
          .array(z.string().regex(/^\w[\w-]*$/, 'the id of a scenario or of a check'))
          .min(1)
          .optional(),
        seed: z.int().min(0).optional().describe('makes the ids of invoices as in an earlier verification'),
      }),
      async run({ command, folder = process.cwd(), only, seed }, { signal, tell }) {
        await requireFolder(folder);
        const args = [
          ...(only ? ['--only', only.join(',')] : []),
          ...(seed === undefined ? [] : ['--seed', String(seed)]),
          '--',
          ...command,
        ];
        const { status, printed, report } = await verify(root, args, { folder, signal, tell });
        if (!report)
          throw new Error(`The verification could not be run (exit status ${status ?? 'none'}): ${printed.trim()}`);
        return { verificationId: keep(report), exitStatus: status, ...verdictOf(report) };
      },
    }),
    tool({
      name: 'read_verification',
      title: 'Read a verification',
      says: 'Returns the runs and the calls of one scenario of a verification of this session.',
      effect: 'reads',
      input: z.strictObject({ verificationId: z.string(), scenario: z.string() }),
      // eslint-disable-next-line @typescript-eslint/require-await -- rejects instead of throwing, as every tool
      async run({ verificationId, scenario }) {
        const report = reports.get(verificationId);
        if (!report)
          throw new Error(
            `There is no ${verificationId}: verify_program returns the id, and the latest ${mostReports} are kept`,
          );
        const found = report.scenarios.find(({ id }) => id === scenario);
        if (!found)
          throw new Error(`There is no scenario ${scenario}: ${report.scenarios.map(({ id }) => id).join(', ')} ran`);
        return found;
      },
    }),
  ];
}
