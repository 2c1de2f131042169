/** Ends processes together: whoever ends one of them leaves none of the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as access, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

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

/** What a process runs, '' where the system does not say it. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Whether a process is npm's or another package manager's, and whether it is the shell in which npm runs a script. */
const isManager = (pid) => /\b(npm|npx|pnpm|yarn|bun)\b/.test(commandOf(pid));
const isScript = (pid) => commandOf(pid).includes(` -c ${process.env.npm_lifecycle_script ?? '\0'}`);

/**
 * Ends this process as by SIGTERM once npm has ended, if npm has started it: npm passes a signal to its shell alone, or
 * not at all, and the shell ends without passing it on. A process that was started otherwise may outlive its shell.
 */
export function endWithNpm() {
  if (process.env.npm_command === undefined && process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  // Without a shell in between, that is the user's own one. npm may have ended before this process has begun.
  const isOrphan =
    shell === 1 ? !isManager(shell) && !isScript(shell) : npm !== undefined && !isManager(npm) && isScript(shell);
  if (isOrphan) process.kill(process.pid, 'SIGTERM');
  else if (npm === undefined || isManager(shell) || !isManager(npm)) endWithParent();
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

/** Time (ms) that processes have to end after they were asked to, before they are killed. */
const grace = 2000;

/**
 * Ends the groups of processes whose numbers it has read as `+ <number>`, and not as `- <number>`, once its input ends.
 * That is when the process that writes there has ended in whichever way, also by a signal that cannot be handled.
 */
const keeper = `all=' '
while read -r sign group; do
  case $sign in
    +) all="$all$group ";;
    -) all="\${all%% $group *} \${all#* $group }";;
  esac
done
case $all in *[0-9]*) ;; *) exit;; esac
for group in $all; do kill -s TERM -- "-$group"; done
sleep ${grace / 1000}
for group in $all; do kill -s KILL -- "-$group"; done`;

/** The groups that run; the keeper knows them. */
const groups = new Set();
let kept;

/** Tells the keeper, which is started if it does not run: a signal to the group of this process may have met it at its start. */
function tellKeeper(...lines) {
  if (!kept) {
    // In a session of its own, which no signal of a terminal or of a job reaches.
    const child = spawn('/bin/sh', ['-c', keeper], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
    child.on('error', () => undefined); // without a shell, what a killed process has started goes on
    child.stdin.on('error', () => undefined);
    child.on('exit', () => {
      kept = undefined;
      if (groups.size > 0) tellKeeper(...[...groups].map((group) => `+ ${group}`));
    });
    child.unref();
    child.stdin.unref();
    kept = child.stdin;
  }
  for (const line of lines) kept.write(`${line}\n`);
}

/** Signals that end a process which does not handle them. */
const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'];

let isGuarded = false;

/** Keeps these signals from ending this process between the start of a command and the keeper's knowing of it. */
function guard() {
  if (isGuarded) return;
  isGuarded = true;
  for (const name of ends)
    process.prependListener(name, () => {
      if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]); // as without this listener
    });
}

const isWindows = process.platform === 'win32';

/** Signals a group of processes; Windows has no groups. */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  if (isWindows) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All of them have ended.
  }
}

/** Whether the system can start a command; what it cannot is left to `spawn`, which says why. */
function isStartable(command, { env = process.env, cwd = '.' }) {
  const places = command.includes('/') ? [resolve(cwd, command)] : (env.PATH ?? '').split(delimiter).map((folder) => join(folder, command)); // prettier-ignore
  return places.some((place) => {
    try {
      accessSync(place, access.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * Starts a command that waits until it is released by a line at a descriptor of its own. Where this process ends before,
 * also by a signal that cannot be handled, no line comes, and the command never runs.
 */
function spawnHeld(command, args, options) {
  const { shell, stdio = 'pipe', ...others } = options;
  const [file, ...list] = shell ? ['/bin/sh', '-c', [command, ...args].join(' ')] : [command, ...args];
  const usual = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const held = `read -r line <&${usual.length} || exit; exec "$@" ${usual.length}<&-`;
  const child = spawn('/bin/sh', ['-c', held, file, file, ...list], { ...others, stdio: [...usual, 'pipe'] });
  const line = child.stdio[usual.length];
  line?.on('error', () => undefined); // it has ended already
  return { child, release: () => void line?.end('\n') };
}

/**
 * Starts a command in a group of processes of its own, which is ended as a whole: when its first process has ended, when
 * `signal` aborts, and when this process has ended in whichever way. Throws the signal's reason if it has aborted already.
 * `end` asks the group to end, and kills it if it does not end soon; `kill` kills it at once.
 */
export function startGroup(command, args, { signal, ...options } = {}) {
  signal?.throwIfAborted();
  guard();
  if (!isWindows) tellKeeper();
  const isHeld = !isWindows && (options.shell || isStartable(command, options));
  const { child, release } = isHeld
    ? spawnHeld(command, args, { ...options, detached: true })
    : { child: spawn(command, args, { ...options, detached: !isWindows }), release: () => undefined };
  const kill = () => signalGroup(child, 'SIGKILL');
  const end = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => child.exitCode ?? child.signalCode ?? kill(), grace).unref();
  };
  if (child.pid === undefined) return { child, end, kill }; // it could not be started, and says so by an event
  if (isWindows) process.once('exit', kill);
  else {
    groups.add(child.pid);
    tellKeeper(`+ ${child.pid}`);
    release();
  }
  signal?.addEventListener('abort', end, { once: true });
  child.once('exit', () => {
    signal?.removeEventListener('abort', end);
    kill(); // what outlives the first process
    process.off('exit', kill);
    if (groups.delete(child.pid)) tellKeeper(`- ${child.pid}`);
  });
  return { child, end, kill };
}

/** Runs a command to its end. Resolves with its exit code, null after a signal, and its output. */
export async function runToEnd(command, args, options) {
  const { child } = startGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

/**
 * Returns a signal that aborts when this process is asked to end by SIGINT, SIGTERM or SIGHUP, so that what is under way is
 * finished or undone. On a second one the process ends at once with `code`.
 */
export function interruption(code) {
  const interrupted = new AbortController();
  for (const signal of ends)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(code);
      interrupted.abort(new Error(`${signal} was received`));
    });
  // The reader of the output may end before the work, whose result still counts.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return interrupted.signal;
}

/** Ends this process once its output is written, whatever else is still open. */
export async function exitWith(code) {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((written) => stream.write('', () => written()))),
  );
  process.exit(code);
}
