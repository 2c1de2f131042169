/** Writes the reports of commands: whole, or not at all. */
import { lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/** The file system's codes of a full disk. */
const full = ['ENOSPC', 'EDQUOT'];

/** What is wrong with a path, and what would be right, by the file system's codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of its path is a file, where a folder would be right',
  EISDIR: 'it is a folder, where a file would be right',
  EEXIST: 'it is a file, where a folder would be right',
  ENOENT: 'its folder does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system cannot be written',
};

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string =>
  full.includes(code) ? 'its disk is full' : (reasons[code] ?? message);

/** A sentence, without its end, about a file that cannot be written: the error of a write does not name it. */
export class UnwrittenError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} cannot be written: ${reasonOf(cause as NodeJS.ErrnoException)}`, { cause });
    this.name = 'UnwrittenError';
  }
}

const statOf = (path: string) => stat(path).catch(() => undefined);

/**
 * Rejects with UnwrittenError if a report cannot be written to `path`; leaves no empty file there. `name` is what the
 * user calls it.
 */
export async function checkReport(name: string, path: string): Promise<void> {
  const before = await statOf(path);
  // To open a pipe would wait for its reader.
  if (before && !before.isFile() && !before.isDirectory()) return;
  try {
    await (await open(path, 'a')).close();
    if (!before) await rm(await realpath(path));
  } catch (error) {
    throw new UnwrittenError(name, error);
  }
}

/** Writes a text to a file, with UnwrittenError if that fails. */
export const writeText = (path: string, text: string, name = path): Promise<void> =>
  writeFile(path, text).catch((error: unknown) => {
    throw new UnwrittenError(name, error);
  });

/** Writes a report: what was there stays until the whole of it is on the disk. Rejects with UnwrittenError. */
export async function writeReport(name: string, path: string, text: string): Promise<void> {
  const before = await statOf(path);
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
  // A device, a pipe, or a link to a file that is yet to be made.
  if (before ? !before.isFile() : isLink) return writeText(path, text, name);
  const target = before ? await realpath(path) : path;
  const part = `${target}.${process.pid}.part`;
  try {
    await writeFile(part, text, { flush: true });
    await rename(part, target);
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException; // of the file system
    await rm(part, { force: true }).catch(() => undefined);
    // The file may be writable in a folder that is not.
    if (before && ['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) return writeText(path, text, name);
    throw new UnwrittenError(name, error);
  }
}
