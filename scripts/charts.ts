/**
 * Draws all charts anew (npm run charts): into docs/charts to be read, into src/app/charts/laidOut for the page; layouts of
 * charts that no page shows are kept beside, because they are slow to make.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chartFiles, folders } from './charts/files.ts';

const files = await chartFiles();
for (const folder of folders) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [path, text] of files) writeFileSync(path, text);
console.log(`${files.size} files in ${folders.join(' and ')}`);
