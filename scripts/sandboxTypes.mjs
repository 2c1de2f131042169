/** The types of the sandbox in the package, for importers that are ES modules and for CommonJS. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

/** What the types need beyond ES2023: `Symbol.asyncDispose`. */
const library = '/// <reference lib="esnext.disposable" />\n';

/** The files that api.ts imports, whose types are exported with its own. */
const imported = ['recorded', 'faultRules'];

const capital = (/** @type {string} */ name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const quoted = (/** @type {string} */ name) => `'${name}'`;

/** Returns the declaration of an option, with what the fault lab says of it. */
const optionType = ([name, { label, type, unit }]) =>
  `    /** ${label}${unit ? ` (${unit})` : ''}. */\n    ${name}?: ${type === 'number' ? 'number' : 'string'};\n`;

const faultType = ([kind, { says, options = {} }]) =>
  `  /** ${says} */\n  | {\n    kind: '${kind}';\n${Object.entries(options).map(optionType).join('')}  }\n`;

/** Returns the declarations of faults and of what they are set for, as the tables of the fault lab have them. */
function faultTypes({ faultKinds, faultPlaces, faultTargets }) {
  return Object.keys(faultKinds)
    .map((on) => {
      const faults = Object.entries(faultKinds[on]).map(faultType).join('');
      const places = faultPlaces[on].map(quoted).join(' | ') || 'never';
      return `/** ${faultTargets[on]}: what can happen. */\nexport type ${capital(on)}Fault =\n${faults};\nexport type ${capital(on)}Name = ${places};\n`;
    })
    .join('\n');
}

/** Returns the declarations of the rules of the fault lab, whose types in the source read the tables. */
function faultRules(tables) {
  const source = readFileSync('server/sandbox/faultRules.ts', 'utf8');
  const happening = Object.keys(tables.faultKinds)
    .map((on) => `  | { on: '${on}'; of?: ${capital(on)}Name | 'any'; fault: ${capital(on)}Fault }`)
    .join('\n');
  return `${faultTypes(tables)}\ntype Happening =\n${happening};\n\n${source.slice(source.indexOf('interface Frequency'))}`;
}

/** Returns the declarations of one kind by their names. The other sources hold types only, so that they are declarations as they are. */
function declarationsOf(kind, tables) {
  const declared = (name) =>
    readFileSync(`server/sandbox/${name}.ts`, 'utf8').replaceAll(/'\.\/(\w+)\.ts'/g, `'./$1.${kind}js'`);
  const exported = imported.map((name) => `export type * from './${name}.${kind}js';\n`).join('');
  return {
    [`recorded.d.${kind}ts`]: declared('recorded'),
    [`faultRules.d.${kind}ts`]: faultRules(tables),
    [`sandbox.d.${kind}ts`]: `${library}${declared('api')}${exported}export declare const createSandbox: CreateSandbox;\n`,
  };
}

export async function sandboxTypes() {
  const { module } = await runnerImport(resolve('src/contract/faults.ts'));
  return { ...declarationsOf('', module), ...declarationsOf('c', module) };
}
