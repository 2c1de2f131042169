/**
 * Loaded into the console's process: runs SQL there on whichever SQLite file its parent names, as the console keeps its
 * file from every other process. A message is `{ file, sql }`; the answer is why that failed, '' if it did not.
 */
import process from 'node:process';
import Database from 'libsql';

const opened = new Map();

process.on('message', ({ file, sql }) => {
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
