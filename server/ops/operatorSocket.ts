import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { BackupError, copyDatabase } from './backup.ts';

/** Returns the path of the socket on which the program that has an SQLite file open does an operator's work. */
const socketOf = (file: string): string => `${file}.backup`;

/** Maximum length in bytes of a socket's path on every system. */
const longest = 100;

/** The request: the absolute path of a copy, or the arguments of a command about users. */
type Asked = { to: string } | { users: readonly string[] };
/** The reply: the problem, if there is one, or what was done. */
interface Answered {
  problem?: string;
  done?: unknown;
}
/** Does a command about users; absent for a store that has none. */
type OnUsers = (args: readonly string[]) => Promise<unknown>;

/** Reads everything that the peer sends. The consumers of node:stream would also close the other direction. */
async function said(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await once(socket, 'end');
  return text;
}

async function answer(socket: Socket, file: string, log: Logger, onUsers?: OnUsers): Promise<void> {
  const asked = JSON.parse(await said(socket)) as Asked; // askProgram sends it
  const work = async (): Promise<Answered> => {
    if ('users' in asked) return { done: await onUsers?.(asked.users) };
    await copyDatabase(file, asked.to);
    return {};
  };
  const answered = await work().catch((error: unknown): Answered => {
    const { message: problem } = error as Error; // of copyDatabase, or of the store
    log.warn({ problem }, 'an operator’s command failed');
    return { problem };
  });
  socket.end(JSON.stringify(answered));
}

/**
 * Lets `npm run backup` and `npm run users` have this process work on an SQLite file that it has open and locked. Listens
 * on a socket beside the file, which only the file's owner can use. Returns a function that stops this. Where sockets
 * are unavailable, logs a warning: the commands then need the file closed.
 */
export async function offerWork(file: string, log: Logger, onUsers?: OnUsers): Promise<() => Promise<void>> {
  const path = socketOf(file);
  if (process.platform === 'win32') return () => Promise.resolve(); // Windows has no lock
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.debug({ err: error }, 'an operator’s command has gone'));
    answer(socket, file, log, onUsers).catch((error: unknown) => {
      log.warn({ err: error }, 'an operator’s command is not understood');
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
    log.warn({ err: error }, `${file} can be backed up, and its users listed, only while it is closed`);
    return () => Promise.resolve();
  }
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/**
 * Asks the process that has the file open to do something. Resolves with undefined if no process answers. Rejects with
 * BackupError if that fails.
 */
export async function askProgram<Done>(file: string, asked: Asked): Promise<Done | undefined> {
  const socket = createConnection({ path: socketOf(file), allowHalfOpen: true });
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.end(JSON.stringify(asked));
  const answered = await said(socket).catch(() => '');
  if (answered === '') throw new BackupError(`The program that has ${file} open has ended meanwhile: try again.`);
  const { problem, done } = JSON.parse(answered) as Answered; // of the same program
  if (problem !== undefined) throw new BackupError(problem);
  return (done ?? {}) as Done; // by the request
}
