import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { BackupError, copyDatabase } from './backup.ts';

/** Returns the path of the socket on which the program that has an SQLite file open accepts requests to copy it. */
const socketOf = (file: string): string => `${file}.backup`;

/** Maximum length in bytes of a socket's path on every system. */
const longest = 100;

/** The request: the absolute path of the copy. The reply: the problem, if there is one. */
interface Asked {
  to: string;
}
interface Answered {
  problem?: string;
}

/** Reads everything that the peer sends. The consumers of node:stream would also close the other direction. */
async function said(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await once(socket, 'end');
  return text;
}

async function answer(socket: Socket, file: string, log: Logger): Promise<void> {
  const { to } = JSON.parse(await said(socket)) as Asked; // askForCopy sends it
  const answered: Answered = await copyDatabase(file, to).then(
    () => ({}),
    (error: unknown) => {
      const { message: problem } = error as BackupError; // of copyDatabase
      log.warn({ problem }, 'no backup was made');
      return { problem };
    },
  );
  socket.end(JSON.stringify(answered));
}

/**
 * Lets `npm run backup` have this process copy an SQLite file that it has open and locked. Listens on a socket beside
 * the file, which only the file's owner can use. Returns a function that stops this. Where sockets are unavailable,
 * logs a warning: the file can then be copied only while it is closed.
 */
export async function offerCopies(file: string, log: Logger): Promise<() => Promise<void>> {
  const path = socketOf(file);
  if (process.platform === 'win32') return () => Promise.resolve(); // Windows has no lock
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.debug({ err: error }, 'who asked for a backup has gone'));
    answer(socket, file, log).catch((error: unknown) => {
      log.warn({ err: error }, 'a request for a backup is not understood');
      socket.destroy();
    });
  });
  try {
    if (Buffer.byteLength(path) > longest) throw new Error('its path is too long for a socket');
    rmSync(path, { force: true }); // left over by a process that was killed; this one holds the lock
    const umask = process.umask(0o177);
    server.listen(path); // makes the socket at once
    process.umask(umask);
    await once(server, 'listening');
  } catch (error) {
    log.warn({ err: error }, `${file} can be backed up only while it is closed`);
    return () => Promise.resolve();
  }
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/**
 * Asks the process that has the file open to copy it. Resolves with false if no process answers. Rejects with
 * BackupError if the copy fails.
 */
export async function askForCopy(file: string, to: string): Promise<boolean> {
  const socket = createConnection({ path: socketOf(file), allowHalfOpen: true });
  try {
    await once(socket, 'connect');
  } catch {
    return false;
  }
  const asked: Asked = { to };
  socket.end(JSON.stringify(asked));
  const answered = await said(socket).catch(() => '');
  if (answered === '')
    throw new BackupError(`${file} was not copied: the program that has it open has ended meanwhile.`);
  const { problem } = JSON.parse(answered) as Answered; // of the same program
  if (problem !== undefined) throw new BackupError(problem);
  return true;
}
