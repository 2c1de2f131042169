import { closeSync, openSync, statSync, writeSync } from 'node:fs';

/** Overwrites a file with rubbish from this byte on; from before its end for a negative one. */
export function spoil(file: string, from: number): void {
  const handle = openSync(file, 'r+');
  const { size } = statSync(file);
  const start = from < 0 ? size + from : from;
  const rubbish = Buffer.alloc(size - start, 'rubbish ');
  writeSync(handle, rubbish, 0, rubbish.length, start);
  closeSync(handle);
}
