import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** A command and all that it has started. */
export interface Group {
  child: ChildProcess;
  /** Asks all of them to end, and kills them if they do not end within 2 s. */
  end: () => void;
  /** Kills all of them at once. */
  kill: () => void;
}

/**
 * Starts a command in a group of processes of its own, which is ended as a whole: when its first process has ended, when
 * `signal` aborts, and when this process has ended in whichever way. Throws the signal's reason if it has aborted already.
 */
export function startGroup(
  command: string,
  args: readonly string[],
  options?: Omit<SpawnOptions, 'detached' | 'signal'> & { signal?: AbortSignal | undefined },
): Group;
