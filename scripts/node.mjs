/**
 * Ends the process with a sentence if package.json does not allow this version of Node. Imported before anything else, it
 * uses only what older versions have too.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The versions that package.json allows, each `^major.minor.patch`, as pairs of major and least minor version. */
const supported = engines.node.split(' || ').map((range) => range.slice(1).split('.').map(Number));

const [major, minor] = process.versions.node.split('.').map(Number);
if (!supported.some(([ofMajor, least]) => major === ofMajor && minor >= least)) {
  const names = supported.map(([ofMajor, least]) =>
    least > 0 ? `${ofMajor} (${ofMajor}.${least} or newer)` : ofMajor,
  );
  process.stderr.write(
    `This is Node ${process.versions.node}: install Node ${names.slice(0, -1).join(', ')} or ${names.slice(-1)[0]}.\n`,
  );
  process.exit(1);
}
