import { execFileSync } from 'node:child_process';
import type { Row } from './row.ts';

/** A result of size-limit; sizes in bytes of gzip. */
interface Size {
  name: string;
  size: number;
  sizeLimit: number;
}

/** What the page's routes load, beside their limits. */
export function rows(): Row[] {
  const printed = execFileSync(process.execPath, ['node_modules/size-limit/bin.js', '--json'], { encoding: 'utf8' });
  const sizes = JSON.parse(printed) as Size[]; // its documented shape
  return sizes.map(({ name, size, sizeLimit }) => ({
    what: name,
    unit: 'kB',
    ours: size / 1000,
    aim: `at most ${sizeLimit / 1000} kB`,
  }));
}
