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
