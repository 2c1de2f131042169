/** The options of the command that starts console and sandbox. */
import util from 'node:util';

const types = {
  port: { type: 'string' },
  data: { type: 'string' },
  seed: { type: 'string' },
  'accept-store': { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
};

/** A sentence that says what is wrong with the options. */
export class OptionError extends Error {}

const isPort = (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

function valueOf({ kind, name, rawName, value }) {
  if (kind === 'positional' && value === 'sandbox') return ['sandbox', true];
  if (kind !== 'option') throw new OptionError(`${value ?? '--'} is not known: --help lists what is.`);
  if (!Object.hasOwn(types, name)) throw new OptionError(`${rawName} is not an option: --help lists the options.`);
  if (types[name].type === 'boolean' && value !== undefined) throw new OptionError(`${rawName} takes no value.`);
  const found = value ? `is ${JSON.stringify(value)}` : 'has no value';
  if (name === 'port' && !isPort(value ?? ''))
    throw new OptionError(`${rawName} ${found}: give a port number from 0 to 65535, 0 for any free one.`);
  if (name === 'seed' && !/^-?\d{1,9}$/.test(value ?? ''))
    throw new OptionError(`${rawName} ${found}: give a whole number.`);
  if (name === 'data' && !value) throw new OptionError(`${rawName} ${found}: give a folder.`);
  return [name, value ?? true];
}

/** Reads the arguments: options, and the word `sandbox`. Throws OptionError. */
export function optionsOf(args) {
  const { tokens } = util.parseArgs({ args, options: types, strict: false, allowPositionals: true, tokens: true });
  return Object.fromEntries(tokens.map(valueOf));
}
