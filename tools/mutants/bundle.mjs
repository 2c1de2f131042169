/**
 * Bundles the tests of a room, once for all of its mutants: vitest would fetch some hundred modules anew for each. Each
 * test file becomes a function that loads it; what the files share is loaded once for all of a mutant's.
 */
import { readFile } from 'node:fs/promises';
import { globSync } from 'tinyglobby';
import { build } from 'esbuild';

const globbed = (patterns, ignore) => globSync(patterns, { ignore, expandDirectories: false }).toSorted();

/** The models, which a module finds by reading its folder, as a list that can be bundled. */
const listedModels = {
  name: 'listed models',
  setup({ onLoad }) {
    onLoad({ filter: /tests[\\/]machines[\\/]models\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const files = globbed(['tests/machines/*.models.ts']).map((file) => file.replace(/.*\//, './'));
      const modules = `const modules = [${files.map((file) => `require('${file}')`).join(', ')}];`;
      const found = /const files = [^;]*;\nconst modules = await [\s\S]*?\n\);/;
      if (!found.test(source)) throw new Error(`${path} no longer finds the models in the way that is replaced here`);
      return { contents: source.replace(found, modules), loader: 'ts' };
    });
  },
};

/** What tests/support/compiler.ts does before each file. */
const ready = "ready: () => require('./src/rules/pattern.ts').loadCompiler()";

/** The source of a function of `require` and `module`, which exports `ready` and the test `files` in their order. */
export async function bundleOf(tests, without = []) {
  // Once each, in their order: loaded again, a file would have no tests.
  const files = [...new Set(tests.flatMap((pattern) => globbed([pattern], without)))];
  const listed = files.map((file) => `{ name: '${file}', load: () => require('./${file}') }`);
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = { ${ready}, files: [${listed.join(', ')}] };`, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    jsx: 'automatic',
    logLevel: 'error',
    plugins: [listedModels],
  });
  return `(function (require, module) {${outputFiles[0].text}\n})`;
}
