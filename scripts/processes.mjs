/** Ends processes together: whoever ends one of them leaves none of the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** Interval (ms) at which a process looks for those that started it. */
const glance = 300;

/** The parent of a process, where the system says it. */
function parentOf(pid) {
  try {
    return Number(/^.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined; // it has ended, or this is not Linux
  }
}

/** Whether a process is npm's or another package manager's. */
function isManager(pid) {
  try {
    return /\b(npm|npx|pnpm|yarn|bun)\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Ends this process as by SIGTERM once npm has ended, if npm has started it: npm passes a signal to its shell alone, or
 * not at all, and the shell ends without passing it on. A process that was started otherwise may outlive its shell.
 */
export function endWithNpm() {
  if (process.env.npm_command === undefined && process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  // Without a shell in between, that is the user's own one.
  if (npm === undefined || isManager(shell) || !isManager(npm)) endWithParent();
  else endOnce(() => process.ppid !== shell || parentOf(shell) !== npm);
}

/** Ends this process as by SIGTERM once the process that has started it has ended. */
export function endWithParent() {
  const { ppid } = process;
  endOnce(() => process.ppid !== ppid);
}

function endOnce(isOver) {
  const looking = setInterval(() => {
    if (!isOver()) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, glance).unref();
}

/** Signals a process and all that it has started, which have a group of their own; Windows has no groups. */
function signalGroup(child, signal) {
  if (process.platform === 'win32') child.kill(signal);
  else
    try {
      process.kill(-child.pid, signal);
    } catch {
      // All of them have ended.
    }
}

/**
 * Runs a command to its end; a signal that ends this process ends the command too, with all that it has started. Resolves
 * with its exit code, null after a signal, and its output.
 */
export async function runToEnd(command, args, options) {
  const child = spawn(command, args, {
    ...{ ...options, stdio: ['ignore', 'pipe', 'pipe'] },
    detached: process.platform !== 'win32',
  });
  const kill = () => signalGroup(child, 'SIGKILL');
  const end = (signal) => process.exit(128 + constants.signals[signal]); // which kills it
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.once(signal, end);
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  try {
    const [status] = await once(child, 'close');
    return { status, output };
  } finally {
    for (const signal of signals) process.off(signal, end);
    process.off('exit', kill);
  }
}

/** Ends this process once its output is written, whatever else is still open. */
export async function exitWith(code) {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((written) => stream.write('', () => written()))),
  );
  process.exit(code);
}
