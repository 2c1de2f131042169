import { execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Program {
  /** What it has printed. */
  printed(): string;
  /** Ends it by SIGTERM; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts a program that prints to a file. It ends with this process: a server learns of it by a channel. */
export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  { env, cwd, log, channel = false }: { env: NodeJS.ProcessEnv; cwd: string; log: string; channel?: boolean },
): Program {
  const file = openSync(log, 'a');
  const stdio: StdioOptions = ['ignore', file, file, ...(channel ? (['ipc'] as const) : [])];
  const child = spawn(command, args, { env, cwd, stdio });
  closeSync(file);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', kill);
    return code as number | null; // node's argument of 'exit'
  });
  return {
    printed: () => readFileSync(log, 'utf8'),
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Waits until an address answers 200. Throws with what the program has printed. */
export async function answers(url: string, program: Program, seconds = 60): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const isOk = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOk) return;
    if (Date.now() > until) throw new Error(`${url} did not answer within ${seconds} s:\n${program.printed()}`);
    await pause(100);
  }
}

/** Runs a command to its end; throws with what it printed. */
export function runCommand(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'pipe' });
}
