import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startGroup } from '../../scripts/processes.mjs';

export interface Program {
  /** What it has printed. */
  printed(): string;
  /** Ends it by SIGTERM; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts a program that prints to a file. It ends with this process. */
export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  { env, cwd, log }: { env: NodeJS.ProcessEnv; cwd: string; log: string },
): Program {
  const file = openSync(log, 'a');
  const { child } = startGroup(command, args, { env, cwd, stdio: ['ignore', file, file] });
  closeSync(file);
  const ended = once(child, 'exit').then(([code]) => code as number | null); // node's argument of 'exit'
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
