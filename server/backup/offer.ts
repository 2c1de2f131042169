import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { BackupError, copyDatabase } from './copy.ts';

/** Where a program that has an SQLite file open is asked to copy it. */
const socketOf = (file: string): string => `${file}.backup`;

/** Maximum length in bytes of a socket's path on every system. */
const longest = 100;

/** What is asked: the absolute path of the copy. What is answered: why there is none, or nothing. */
interface Asked {
  to: string;
}
interface Answered {
  problem?: string;
}

/** All that the other side says. The consumers of node:stream would end the other direction as well. */
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
 * Has this process copy an SQLite file that it has open when `npm run backup` asks for it, because the file is locked
 * against all others. It is asked through a socket beside the file, which its owner alone can use. Returns a function that
 * ends this. Where there are no such sockets, a warning says so, and the file can be copied only while it is closed.
 */
export async function offerCopies(file: string, log: Logger): Promise<() => Promise<void>> {
  const path = socketOf(file);
  if (process.platform === 'win32') return () => Promise.resolve(); // nothing is locked there
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.debug({ err: error }, 'who asked for a backup has gone'));
    answer(socket, file, log).catch((error: unknown) => {
      log.warn({ err: error }, 'a request for a backup is not understood');
      socket.destroy();
    });
  });
  try {
    if (Buffer.byteLength(path) > longest) throw new Error('its path is too long for a socket');
    rmSync(path, { force: true }); // of a process that was killed: the file is locked by this one
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
 * Has the process that has the file open copy it. Resolves with false if no process answers. Rejects with BackupError if
 * it fails.
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
