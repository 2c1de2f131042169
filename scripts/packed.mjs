/** What is packed, and what stands in its package.json: all packages are built in but those that are installed with it. */
import { readFileSync } from 'node:fs';

/** The packages that the built server imports. Libsql has a binary for each platform. */
export const installed = ['libsql'];

/** Returns the package.json of what is packed. */
export function packedManifest() {
  const {
    dependencies,
    devDependencies: _,
    overrides: _own,
    ...rest
  } = JSON.parse(readFileSync('package.json', 'utf8'));
  return { ...rest, dependencies: Object.fromEntries(installed.map((name) => [name, dependencies[name]])) };
}
