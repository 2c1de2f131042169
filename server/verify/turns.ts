import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Started } from './program.ts';

/**
 * The longest and the shortest time (ms) that an instance is given in which it changes nothing: it may be waiting. One that
 * SQLite keeps from reading looks again after 100 ms: it has to while the other one stands between two changes.
 */
const [firstTurn, leastTurn] = [250, 120];
/** How much longer an instance goes on than the other one has. */
const ahead = 1.5;
/** Time (ms) in which a change that an instance made before it was stopped is noticed. */
const noticing = 5;

/**
 * Stops a group of processes with the first change in a folder. In a thread of its own: the next step of the group follows
 * within a fraction of a millisecond.
 */
const watching = `
const { parentPort, workerData: folder } = require('node:worker_threads');
const { readdirSync, statSync, watch } = require('node:fs');
const { join } = require('node:path');
let group = 0;
function stop() {
  if (group === 0) return;
  try { process.kill(-group, 'SIGSTOP'); } catch {}
  group = 0;
  parentPort.postMessage('changed');
}
const watched = new Set();
function watchFolder(path) {
  if (watched.has(path)) return;
  watched.add(path);
  watch(path, (kind, name) => {
    stop();
    const entry = name && join(path, name);
    if (entry && statSync(entry, { throwIfNoEntry: false })?.isDirectory()) watchFolder(entry);
  }).on('error', () => undefined);
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) watchFolder(join(path, entry.name));
}
try { watchFolder(folder); } catch {} // too many are watched on this machine: turns end by their time alone
parentPort.on('message', (next) => { group = next; parentPort.postMessage('watched'); });
`;

/**
 * Lets two instances go on in turns, so that each meets the other one between looking at the state and changing it: a turn
 * ends with the first change in the folder, or once the instance has gone on half as long again as the other one. Both go
 * on in the end.
 */
export async function takeTurns(both: readonly Started[], folder: string, isOver: () => boolean): Promise<void> {
  const turns = both.map((program) => ({ program, had: 0, least: firstTurn }));
  for (const { suspend } of both) suspend();
  const worker = new Worker(watching, { eval: true, workerData: folder });
  /** Watches for changes by a group of processes; 0 for by none. */
  const watchFor = async (group: number): Promise<void> => {
    worker.postMessage(group);
    while ((await once(worker, 'message'))[0] !== 'watched');
  };
  try {
    while (!isOver()) {
      const [own, other] = turns as [(typeof turns)[number], (typeof turns)[number]]; // two
      turns.reverse();
      await watchFor(own.program.pid);
      const begun = performance.now();
      own.program.resume();
      const hasChanged = await Promise.race([
        once(worker, 'message').then(() => true),
        own.program.ended.then(() => false),
        pause(Math.max(own.least, ahead * other.had - own.had), false),
      ]);
      own.program.suspend();
      own.had += performance.now() - begun;
      own.least = hasChanged ? firstTurn : Math.max(leastTurn, own.least / 2);
      await pause(noticing);
      await watchFor(0);
    }
  } finally {
    await worker.terminate();
    for (const { resume } of both) resume();
  }
}
