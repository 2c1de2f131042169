import { execFile } from 'node:child_process';

/** Runs the command of the simulation in a process of its own; a world that fails ends it with another status than 0. */
export const simulate = (...options: string[]): Promise<{ stdout: string; isRight: boolean }> =>
  new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['--import', 'tsx', 'tests/simulation/main.ts', ...options],
      { maxBuffer: 1e8 },
      (error, stdout, stderr) =>
        stderr.includes('Error') ? reject(new Error(stderr)) : resolve({ stdout, isRight: error === null }),
    ),
  );
