/** The types of the sandbox in the package, for importers that are ES modules and for CommonJS. */
import { readFileSync } from 'node:fs';

/** Returns the declarations of one kind by their names. Both sources hold types only, so that they are declarations as they are. */
function declarationsOf(kind) {
  const declared = (name) =>
    readFileSync(`server/sandbox/${name}.ts`, 'utf8').replaceAll("./recorded.ts'", `./recorded.${kind}js'`);
  const exported = `export type * from './recorded.${kind}js';\nexport declare const createSandbox: CreateSandbox;\n`;
  return {
    [`recorded.d.${kind}ts`]: declared('recorded'),
    [`sandbox.d.${kind}ts`]: declared('api') + exported,
  };
}

export const sandboxTypes = () => ({ ...declarationsOf(''), ...declarationsOf('c') });
