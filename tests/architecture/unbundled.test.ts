import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** What the server consists of: Node runs these files as they are, if it strips types. */
const folders = ['server', 'src/contract', 'src/rules'];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name)),
);

/** Returns what is wrong with an import for Node without a bundler; '' if nothing is. */
function faultOf({ importClause, moduleSpecifier, attributes }: ts.ImportDeclaration): string {
  const from = (moduleSpecifier as ts.StringLiteral).text; // of an import
  if (from.endsWith('.json')) {
    if (!/type: 'json'/.test(attributes?.getText() ?? '')) return `${from} has no attribute type: 'json'`;
    return importClause?.namedBindings ? `${from} has no named exports` : '';
  }
  const isOwn = from.startsWith('.') || from.startsWith('#');
  return isOwn && !/\.(ts|json|mjs)$/.test(from) ? `${from} has no file name extension` : '';
}

const faultsIn = (file: string, text = readFileSync(file, 'utf8')): string[] =>
  ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    .statements.filter(ts.isImportDeclaration)
    .map(faultOf)
    .filter((fault) => fault !== '')
    .map((fault) => `${file}: ${fault}`);

describe('The server without a bundler', () => {
  it('imports JSON whole with its attribute, and files with their extension', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((file) => faultsIn(file))).toEqual([]);
  });

  it('would be refused an import of a JSON member, of JSON without attribute, and of a file without extension', () => {
    for (const fault of ["{ version } from './a.json' with { type: 'json' }", "a from '#page/a.json'", "a from './a'"])
      expect(faultsIn('a.ts', `import ${fault};`), fault).toHaveLength(1);
  });

  it('has only syntax that disappears with its types, as the compiler checks', () => {
    const { config } = ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8')) as {
      config: { compilerOptions: ts.CompilerOptions };
    };
    expect(config.compilerOptions).toMatchObject({ erasableSyntaxOnly: true, verbatimModuleSyntax: true });
  });
});
