import { lstat, lutimes, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes everything in a folder so much older (ms), as if that time had passed. What cannot be reached stays as it is. */
export async function makeOlder(folder: string, ms: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeOlder(path, ms);
    await lstat(path)
      .then(({ atimeMs, mtimeMs }) => lutimes(path, (atimeMs - ms) / 1000, (mtimeMs - ms) / 1000))
      // A process that has outlived its run may have removed it, or it belongs to another user.
      .catch(() => undefined);
  }
}
