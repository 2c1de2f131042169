/** The types of the sandbox in the package, for importers that are ES modules and for CommonJS. */
import { readFileSync } from 'node:fs';

/** What the types need beyond ES2023: `Symbol.asyncDispose`. */
const library = '/// <reference lib="esnext.disposable" />\n';

/** The files that api.ts imports, whose types are exported with its own. */
const imported = ['recorded', 'faultRules'];

/** Returns the declarations of one kind by their names. All sources hold types only, so that they are declarations as they are. */
function declarationsOf(kind) {
  const declared = (name) =>
    readFileSync(`server/sandbox/${name}.ts`, 'utf8').replaceAll(/'\.\/(\w+)\.ts'/g, `'./$1.${kind}js'`);
  const exported = imported.map((name) => `export type * from './${name}.${kind}js';\n`).join('');
  return {
    ...Object.fromEntries(imported.map((name) => [`${name}.d.${kind}ts`, declared(name)])),
    [`sandbox.d.${kind}ts`]: `${library}${declared('api')}${exported}export declare const createSandbox: CreateSandbox;\n`,
  };
}

export const sandboxTypes = () => ({ ...declarationsOf(''), ...declarationsOf('c') });
