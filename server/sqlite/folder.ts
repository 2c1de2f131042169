import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Makes a folder for its owner alone, with those above it; one that is there stays as it is. Throws what the file system says.
 * Node's own `recursive` asks for ever where the system says that a folder cannot be there, as below /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (!isFolder(path)) throw error; // else another process has made it meanwhile
  }
}
