import { createSystem } from '@chakra-ui/react';
import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { base } from '#app/theme/base.ts';
import { semanticTokens, tokens } from '#app/theme/tokens.ts';

const theme = { breakpoints: { sm: '30rem', md: '50rem', lg: '68.75rem', xl: '80rem' }, tokens, semanticTokens };
const own = createSystem(base, { theme });
const whole = createSystem(defaultBaseConfig, { theme });

/** Values for a style whose own value is computed: names of tokens. */
const names = ['4', 'md', 'full', 'accent'];

/** Each attribute and member of the page's source that may be a style, with its literal values. */
function* styles(): Generator<[name: string, value: string | number | true]> {
  for (const folder of ['src/app', 'src/steps', 'src/ui'])
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || /theme.(base|tokens)\.ts$/.test(file)) continue;
      const source = ts.createSourceFile(file, readFileSync(`${folder}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
      const found: [string, string | number | true][] = [];
      const values = (name: string, node: ts.Node): void => {
        const before = found.length;
        literals(name, node);
        if (found.length === before) for (const value of names) found.push([name, value]);
      };
      const literals = (name: string, node: ts.Node): void => {
        if (ts.isStringLiteralLike(node)) found.push([name, node.text]);
        else if (ts.isNumericLiteral(node)) found.push([name, Number(node.text)]);
        ts.forEachChild(node, (child) => literals(name, child));
      };
      const visit = (node: ts.Node): void => {
        if (ts.isJsxAttribute(node)) {
          const name = node.name.getText(source);
          if (node.initializer) values(name, node.initializer);
          else found.push([name, true]);
        } else if (ts.isPropertyAssignment(node)) {
          const name = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : '';
          values(name, node.initializer);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      yield* found;
    }
}

/** Without the variable that the whole preset sets beside a background. */
const css = (system: typeof own, style: object) =>
  JSON.parse(JSON.stringify(system.css(style)).replace(/,?"--bg-currentcolor":"[^"]*"/g, '')) as unknown;

describe('the base of the style system', () => {
  const known = new Set([...whole.utility.keys(), ...whole.conditions.keys()]);
  const used = [...styles()].filter(([name]) => known.has(name));

  it('gives each style of the pages the CSS that Chakra’s whole preset gives it', () => {
    expect(used.length).toBeGreaterThan(2000);
    const different = used.filter(([name, value]) => {
      const style = name.startsWith('_') ? { [name]: { display: 'none' } } : { [name]: value };
      return !isDeepStrictEqual(css(own, style), css(whole, style));
    });
    expect([...new Set(different.map(([name, value]) => `${name}: ${value}`))]).toEqual([]);
  });

  it('has no property and no condition that the pages do not use', () => {
    const usedNames = new Set(used.map(([name]) => whole.utility.resolveShorthand(name)));
    for (const mode of ['_dark', '_light']) usedNames.add(mode); // of the tokens
    const unused = [...Object.keys(base.utilities ?? {}), ...own.conditions.keys()].filter(
      (name) => (name in (base.utilities ?? {}) || name.startsWith('_')) && !usedNames.has(name),
    );
    expect(unused).toEqual([]);
  });
});
