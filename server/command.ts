import { parseArgs, type ParseArgsConfig } from 'node:util';
import { printable } from '#rules/printable.ts';
import { UseError } from '#rules/useError.ts';

/** Where a command writes: texts as they are, and lines of complaint without their end. */
export interface Output {
  print: (text: string) => void;
  complain: (line: string) => void;
}

type ErrorKind = new (...parameters: never[]) => Error;

/** Parses the arguments of a command as `parseArgs` does. Throws UseError. */
export function parsedArguments<C extends ParseArgsConfig>(config: C): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // parseArgs throws errors, whose first sentence says what is wrong.
    throw new UseError(`${(error as Error).message.split('. ')[0]}: --help lists the options.`);
  }
}

/**
 * Runs a command; resolves to its exit status: what `run` resolves to, 2 for a UseError, `failed` for an error of the
 * `expected` kinds, which are complained of.
 */
export async function statusOf(
  run: () => Promise<number> | number,
  complain: Output['complain'],
  expected: readonly ErrorKind[] = [],
  failed = 1,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isUse = error instanceof UseError;
    if (!isUse && !expected.some((kind) => error instanceof kind)) throw error;
    complain(printable((error as Error).message)); // of these kinds
    return isUse ? 2 : failed;
  }
}

/** Runs the command of this process with its arguments, and sets the exit status (see `statusOf`). */
export async function runCommand(
  run: (args: string[], output: Output) => Promise<number> | number,
  expected: readonly ErrorKind[] = [],
): Promise<void> {
  reportLostOutput();
  const output: Output = {
    print: (text) => process.stdout.write(text),
    complain: (line) => process.stderr.write(`${line}\n`),
  };
  const status = await statusOf(() => run(process.argv.slice(2), output), output.complain, expected);
  process.exitCode = Math.max(status, Number(process.exitCode ?? 0));
}

/**
 * Lets a command go on when the reader of its output ends early: the exit status still counts. Output that could not be
 * written otherwise, such as to a full disk, is reported, and the command ends with 2.
 */
export function reportLostOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`The output could not be written: ${message}.\n`);
    process.exitCode = 2;
  });
}
