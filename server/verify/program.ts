import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';

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
  /** Whether the program is still running. */
  isRunning: () => boolean;
  /** The end of what it has printed, on both outputs. */
  output: () => string;
}

/** Time (ms) that a program has to end after it was asked to. */
const grace = 1000;
/** Number of characters of its output that are kept. */
const keptOutput = 20_000;

/** Signals the process group of a program, which contains its children. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The group has ended.
  }
}

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
 * Starts a command in a process group of its own, and ends the group after `limit` ms, longer on a slow machine, or when
 * the program has ended.
 * Rejects with ProgramError if the command cannot be started.
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
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'spawn').catch((error: unknown) => {
    throw startFailure(command, error as NodeJS.ErrnoException); // spawn emits system errors
  });
  const { pid } = child;
  let ended: Ended['ended'] = 'itself';
  let text = '';
  let isRunning = true;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-keptOutput);
    });
  const finish = () => {
    signal(pid, 'SIGTERM');
    setTimeout(() => signal(pid, 'SIGKILL'), grace).unref();
  };
  const end = () => {
    ended = 'limit';
    finish();
  };
  let timer = setTimeout(() => {
    void slowness().then((times) => {
      if (isRunning) timer = setTimeout(end, limit * (times - 1));
    });
  }, limit);
  const stop = () => {
    ended = 'killed';
    signal(pid, 'SIGKILL');
  };
  interrupted?.addEventListener('abort', stop, { once: true });
  const exited = once(child, 'exit').then(([status]): Ended => {
    isRunning = false;
    clearTimeout(timer);
    interrupted?.removeEventListener('abort', stop);
    // Children that outlive the program would go on calling.
    signal(pid, 'SIGKILL');
    // One that left the group may hold the output open, for which nobody waits.
    setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), grace).unref();
    return { startedAt, endedAt: Date.now(), exitStatus: status as number | null, ended };
  });
  return { ended: exited, kill: stop, finish, isRunning: () => isRunning, output: () => text };
}
