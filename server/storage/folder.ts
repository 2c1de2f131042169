import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

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
