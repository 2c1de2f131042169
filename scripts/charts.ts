/** Draws all charts anew: into docs/charts to be read, into src/app/charts/laidOut for the page (npm run charts). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chartFiles, folders } from './charts/files.ts';

const files = await chartFiles();
for (const folder of folders) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [path, text] of files) writeFileSync(path, text);
console.log(`${files.size} files in ${folders.join(' and ')}`);
