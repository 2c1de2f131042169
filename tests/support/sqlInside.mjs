/**
 * Loaded into the console's process: runs SQL there on whichever SQLite file its parent names, as the console keeps its
 * file from every other process. A message is `{ file, sql }`; the answer is why that failed, '' if it did not. The
 * answer to `{ memory: true }` is what `process.memoryUsage` says once all garbage is gone.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const opened = new Map();

async function memory() {
  // What lies outside of the heap goes a moment after its owner.
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await wait(50);
  }
  return process.memoryUsage();
}

process.on('message', ({ file, sql, memory: asked }) => {
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
// The console ends when it is told to, whoever still listens.
process.channel.unref();
