/** Draws all charts anew (npm run charts): into docs/charts to be read, and their layouts for the page. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chartFiles, folder } from './charts/files.ts';

const files = await chartFiles();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [path, text] of files) writeFileSync(path, text);
console.log(`${files.size} files`);
