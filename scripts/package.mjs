/** Packs the built console, with options of `npm pack`. Packs a copy, because its package.json is another one. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ready, root } from './ready.mjs';

await ready();
const copy = 'dist/packed';
const npm = (...args) =>
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });

const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts'));
rmSync(join(root, copy), { recursive: true, force: true });
for (const { path } of files)
  cpSync(join(root, path === 'package.json' ? 'dist/packedManifest.json' : path), join(root, copy, path));
process.stdout.write(npm('pack', `./${copy}`, '--ignore-scripts', '--silent', ...process.argv.slice(2)));
