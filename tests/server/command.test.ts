import { expect, it, onTestFinished, vi } from 'vitest';
import { reportLostOutput } from '#server/command.ts';

it.each([
  ['of whose output the reader has ended', 'EPIPE', undefined, 0],
  ['whose output did not fit onto the disk', 'ENOSPC', 2, 1],
  ['whose output could not be written', 'EIO', 2, 1],
])('A command %s ends accordingly', (_, code, status, reports) => {
  const before = process.exitCode;
  const listeners = [process.stdout.listeners('error'), process.stderr.listeners('error')];
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    process.exitCode = before;
    [process.stdout, process.stderr].forEach((stream, at) =>
      stream.listeners('error').forEach((each) => {
        if (!listeners[at]!.includes(each)) stream.off('error', each as () => void); // a listener
      }),
    );
  });
  reportLostOutput();
  process.stdout.emit('error', Object.assign(new Error('it is so'), { code }));
  expect([process.exitCode, write.mock.calls.length]).toEqual([status, reports]);
});
