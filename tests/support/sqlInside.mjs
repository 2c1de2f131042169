/**
 * Loaded into the console's process: runs SQL on the SQLite file named by the parent process, because the console locks
 * its file against all other processes. A message is `{ file, sql }`; the answer is the error text, '' for none. The
 * answer to `{ memory: true }` is `process.memoryUsage()` after garbage collection, to `{ cpu: true }` `process.cpuUsage()`,
 * to `{ turn: true }` the longest time (ms) without a turn of the event loop since the last such question.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';

let collect;
const opened = new Map();

async function memory() {
  if (!collect) {
    // Only now, because a context of its own takes memory that a console without this has not.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc');
  }
  // Memory outside the heap is freed shortly after its owner has been collected.
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await wait(50);
  }
  return process.memoryUsage();
}

/** Time (ms) between two looks at the event loop. */
const resolution = 5;
let delay;

/** The longest time without a turn so far; 0 at first, because only who asks is measured. */
function longestTurn() {
  const longest = delay ? Math.max(0, delay.max / 1e6 - resolution) : 0;
  delay ??= monitorEventLoopDelay({ resolution });
  delay.enable();
  delay.reset();
  return longest;
}

process.on('message', ({ file, sql, memory: asked, cpu, turn }) => {
  if (turn) {
    process.send(longestTurn());
    return;
  }
  if (cpu) {
    process.send(process.cpuUsage());
    return;
  }
  if (asked) {
    void memory().then((usage) => process.send(usage));
    return;
  }
  let why = '';
  try {
    if (!opened.has(file)) opened.set(file, new Database(file));
    opened.get(file).exec(sql);
  } catch (error) {
    why = String(error);
  }
  process.send(why);
});
// The open channel must not keep the console running once it has been told to end.
process.channel.unref();
