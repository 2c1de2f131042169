import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { startGroup } from '../../scripts/processes.mjs';

/** The command could not be started; the message says why. */
export class ProgramError extends Error {
  override name = 'ProgramError';
}

/** How a started program ended. Times in ms since the epoch. */
export interface Ended {
  startedAt: number;
  endedAt: number;
  exitStatus: number | null;
  ended: 'itself' | 'killed' | 'limit';
}

export interface Started {
  /** Resolves when the program and all its children have ended. */
  ended: Promise<Ended>;
  /** Kills the program and its children at once, on the scenario's behalf. */
  kill: () => void;
  /** Asks the program to end, which then counts as having ended by itself; kills it if it does not end soon. */
  finish: () => void;
  /** The number of the program's group of processes; 0 where it has ended already. */
  pid: number;
  /** Stops the program and its children until they are resumed; where the system has no groups of processes, does nothing. */
  suspend: () => void;
  resume: () => void;
  /** Whether it stands still without having been suspended: stopped, or waiting for the disk. False where the system does not say it. */
  isStopped: () => boolean;
  /** Whether the program is still running. */
  isRunning: () => boolean;
  /** The end of what it has printed, on both outputs. */
  output: () => string;
}

/** Time (ms) for which the output of an ended program is still read. */
const reading = 1000;
/** Number of characters of its output that are kept and judged. */
const keptOutput = 1_000_000;

/** The program that runs a file, by the end of its name. */
const runners: Readonly<Record<string, string>> = { '.py': 'python3', '.sh': 'sh', '.php': 'php', '.go': 'go run' };

/** Names why a command could not be started, in one sentence. */
function startFailure(command: string, { code = '', message }: NodeJS.ErrnoException): ProgramError {
  const runner = `name the program that runs it, such as ${runners[extname(command)] ?? 'node'} ${command}`;
  if (code === 'ENOENT' && !command.includes('/') && existsSync(command))
    return new ProgramError(`The program ${command} was not found: give ./${command} for the file, or ${runner}.`);
  if (code === 'ENOENT' && command.includes(' '))
    return new ProgramError(
      `The program “${command}” was not found: give the program and its arguments without quotes around them, such as -- ${command}.`,
    );
  if (code === 'ENOENT') return new ProgramError(`The program ${command} was not found: give a command that exists.`);
  if (code === 'EACCES')
    return new ProgramError(`The program ${command} is not executable: give it the right to run, or ${runner}.`);
  return new ProgramError(`The program ${command} could not be started: ${message}.`);
}

/**
 * Starts a command and ends it, with all that it has started, after `limit` ms, longer on a slow machine.
 * Rejects with ProgramError if the command cannot be started, and with the reason of `interrupted` if that has aborted.
 */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  {
    env,
    limit,
    slowness = () => Promise.resolve(1),
    interrupted,
  }: {
    env: Readonly<Record<string, string | undefined>>;
    limit: number;
    /** Measures how slow the machine is, when the limit is reached: it is so many times longer. */
    slowness?: (() => Promise<number>) | undefined;
    interrupted?: AbortSignal | undefined;
  },
): Promise<Started> {
  const startedAt = Date.now();
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const { child, end, kill } = startGroup(command, args, { env: { ...env }, stdio: [...stdio], signal: interrupted });
  await once(child, 'spawn').catch((error: unknown) => {
    throw startFailure(command, error as NodeJS.ErrnoException); // spawn emits system errors
  });
  let ended: Ended['ended'] = 'itself';
  let text = '';
  let isRunning = true;
  const streams = [child.stdout!, child.stderr!]; // piped
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-keptOutput);
    });
  const stop = () => {
    ended = 'limit';
    end();
  };
  let timer = setTimeout(() => {
    void slowness().then((times) => {
      if (isRunning) timer = setTimeout(stop, limit * (times - 1));
    });
  }, limit);
  const exited = once(child, 'exit').then(([status]): Ended => {
    isRunning = false;
    clearTimeout(timer);
    if (interrupted?.aborted) ended = 'killed';
    // A child that left the group may hold the output open, for which nobody waits.
    setTimeout(() => streams.forEach((stream) => stream.destroy()), reading).unref();
    return { startedAt, endedAt: Date.now(), exitStatus: status as number | null, ended };
  });
  const killed = () => {
    ended = 'killed';
    kill();
  };
  const signalled = (signal: 'SIGSTOP' | 'SIGCONT') => () => {
    if (!isRunning || child.pid === undefined || process.platform === 'win32') return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
  };
  const [stopGroup, goOn] = [signalled('SIGSTOP'), signalled('SIGCONT')];
  let isSuspended = false;
  const isStopped = (): boolean => {
    if (isSuspended || !isRunning) return false;
    try {
      return /^.*\) [TtD] /s.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
    } catch {
      return false; // it has ended, or this is not Linux
    }
  };
  return {
    ended: exited,
    pid: child.pid ?? 0,
    suspend: () => {
      isSuspended = true;
      stopGroup();
    },
    resume: () => {
      goOn();
      isSuspended = false;
    },
    isStopped,
    kill: killed,
    finish: end,
    isRunning: () => isRunning,
    output: () => text,
  };
}
