/** Loaded before the worlds of a process whose console has a fault (`sourcePlants.ts`): gives its changed files instead of those on the disk. */
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { changedFiles } from './sourcePlants.ts';

const changed: Record<string, string> = {};
for (const [file, text] of changedFiles(process.env['PLANTED'] ?? ''))
  changed[pathToFileURL(file).href] = (await transformWithOxc(text, file)).code;
register('./plantingHooks.mjs', import.meta.url, { data: changed });
