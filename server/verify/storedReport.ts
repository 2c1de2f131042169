import { rm, stat } from 'node:fs/promises';
import { maskSecrets } from '#contract/secretShapes.ts';
import { shellWord } from '#server/http/ownCommands.ts';
import { maskAll } from '#server/mask.ts';
import {
  progressFile,
  readProgress,
  readReport,
  reportFile,
  type StoredProgress,
  type StoredReport,
  type StoredScenario,
} from '#server/programs/storedVerification.ts';
import { pastOf } from '#server/programs/verdicts.ts';
import { keyHeaderOf } from '#server/programs/checks/writes.ts';
import { writeReport } from '../reportFile.ts';
import type { Judged } from './verification.ts';

/** The latest calls of a scenario that are stored. */
const mostCalls = 200;

/** The earlier verdicts that are stored. */
const mostEarlier = 29;

/** Options that a run of single scenarios does not repeat, with their values. */
const unrepeated = ['--only', '--seed', '--report', '--keep', '--data', '--list', '--help', '-h'];
const withoutValue = ['--list', '--help', '-h'];

/** Returns the options that a later run of the same program repeats. */
function repeated(options: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index] ?? '';
    const [name = ''] = option.split('=');
    if (!unrepeated.includes(name)) kept.push(option);
    else if (option === name && !withoutValue.includes(name)) index += 1;
  }
  return kept;
}

const shortened = (key: string): string => (key.length <= 8 ? key : `${key.slice(0, 4)}…${key.slice(-2)}`);

/** Returns what is stored of a scenario: neither bodies nor queries, and no secrets. */
function storedScenario({ scenario: { id, title }, evidence, verdicts }: Judged): StoredScenario {
  const { calls, secrets } = evidence;
  const maskKnown = maskAll(secrets);
  const mask = (text: string) => maskSecrets(maskKnown(text));
  return {
    id,
    title: mask(title),
    calls: calls.slice(-mostCalls).map(({ number, at, method, path, status, fault = '', headers }) => ({
      number,
      method,
      path: mask(path),
      status,
      fault,
      at: new Date(at).toISOString(),
      key: mask(shortened(headers[keyHeaderOf(evidence)] ?? '')),
    })),
    verdicts: Object.fromEntries(
      verdicts.map(({ check, verdict }) => [
        check.id,
        {
          verdict: verdict.verdict,
          seen:
            verdict.verdict === 'failed'
              ? verdict.seen.map(({ says, calls: numbers, mend = '' }) => ({
                  says: mask(says),
                  calls: [...numbers],
                  mend,
                }))
              : [],
        },
      ]),
    ),
  };
}

/** Returns how the command is shown and run again. */
function commandOf(options: readonly string[], program: readonly string[]): Pick<StoredReport, 'command' | 'again'> {
  const command = program.map(shellWord).join(' ');
  const shown = maskSecrets(command);
  const all = [...options, ...program].join(' ');
  const hasSecret = maskSecrets(all) !== all;
  return { command: shown, ...(!hasSecret && { again: { options: repeated(options), program: [...program] } }) };
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

interface Verified {
  /** The console's data folder; '' for none. */
  folder: string;
  /** The options of the command. */
  own: readonly string[];
  program: readonly string[];
  /** How many scenarios run, and how many there are. */
  of: number;
  all: number;
  /** Why checks may fail, by their ids. */
  allowed: Readonly<Partial<Record<string, string>>>;
  complain: (line: string) => void;
}

/**
 * Tells the console whose data folder this is of a verification: how far it is, and its verdict. The verdict of chosen
 * scenarios replaces these in the report on the same program. Without such a folder nothing is stored; what cannot be
 * stored is a complaint, once.
 */
export async function openStoredReport({ folder, own, program, of, all, allowed, complain }: Verified) {
  const isKept = folder !== '' && (await isFolder(folder));
  const [begun, startedAt] = [performance.now(), new Date().toISOString()];
  const command = commandOf(own, program);
  let done = 0;
  let hasComplained = false;
  /** What is written at the same time would be written in any order. */
  let last: Promise<void> = Promise.resolve();

  function write(path: string, value: StoredProgress | StoredReport): Promise<void> {
    last = last
      .then(() => writeReport(path, path, `${JSON.stringify(value)}\n`))
      .catch((error: unknown) => {
        if (!hasComplained) complain(`${(error as Error).message}.`); // an UnwrittenError
        hasComplained = true;
      });
    return last;
  }
  const tell = (failure: string) =>
    write(progressFile(folder), { version: 1, pid: process.pid, startedAt, done, of, failure });

  if (isKept) await tell('');
  return {
    judged: async (): Promise<void> => {
      done += 1;
      if (isKept) await tell('');
    },
    /** Says why there is no verdict. */
    failed: async (reason: string): Promise<void> => {
      if (isKept) await tell(maskSecrets(reason));
    },
    /** Stores the verdict. */
    ended: async (ran: readonly Judged[]): Promise<void> => {
      if (!isKept) return;
      const found = ran.map(storedScenario);
      const before = await readReport(folder);
      const former = before?.command === command.command && before.folder === process.cwd() ? before : null;
      const isSame = former !== null && of !== all;
      const kept = isSame ? former.scenarios.filter(({ id }) => !found.some((each) => each.id === id)) : [];
      const order = isSame ? former.scenarios.map(({ id }) => id) : [];
      const placeOf = ({ id }: StoredScenario) => (order.includes(id) ? order.indexOf(id) : order.length);
      await write(reportFile(folder), {
        version: 1,
        ...command,
        folder: process.cwd(),
        endedAt: new Date().toISOString(),
        ms: Math.round(performance.now() - begun),
        latest: found.length,
        all,
        allowed: Object.fromEntries(
          Object.entries(allowed).map(([id, reason = '']) => [id, maskSecrets(reason)] as const),
        ),
        scenarios: [...kept, ...found].toSorted((a, b) => placeOf(a) - placeOf(b)),
        earlier: former ? [...former.earlier, pastOf(former)].slice(-mostEarlier) : [],
      });
      // A later verification may have begun.
      const now = await readProgress(folder);
      if (now?.pid === process.pid) await rm(progressFile(folder), { force: true }).catch(() => undefined);
    },
  };
}
