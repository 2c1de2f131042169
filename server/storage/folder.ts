import { lstatSync, mkdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Returns undefined for a path that leads nowhere, be it that a file stands where a folder should. */
function found(look: (path: string) => Stats, path: string): Stats | undefined {
  try {
    return look(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** What is at a path; undefined if nothing is. */
export const statsOf = (path: string): Stats | undefined => found(statSync, path);

/** What is at a path, which may be a link to nothing; undefined if nothing is. */
export const linkStatsOf = (path: string): Stats | undefined => found(lstatSync, path);

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/**
 * Creates a folder, and its missing parents, accessible only to the owner; leaves an existing folder as it is. Throws
 * the file system's error. Node's own `recursive` never returns if the system says that a folder cannot exist, as below
 * /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (!isFolder(path)) throw error; // otherwise another process has just created it
  }
}
