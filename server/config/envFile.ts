import { lstatSync, readFileSync } from 'node:fs';
import { decodeText } from '#rules/decodeText.ts';
import { complain } from './complain.ts';
import { ConfigError } from './configError.ts';
import { isOfService } from './names.ts';

/** A variable, the place of its value, and whether the line says `export`. */
const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=/;
const nothing = /^[ \t]*(?:#.*)?$/;
const quotes = ['"', "'", '`'];

/** Variables that Node reads before it reads the program, so that a file comes too late for them. */
const ofNode = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_USE_SYSTEM_CA',
  'NODE_USE_ENV_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** A sentence about a line, which never shows its text: it may be a secret. */
const at = (line: number, problem: string): ConfigError => new ConfigError([`.env, line ${line}: ${problem}.`]);

/** The value in quotes at the beginning of `rest`, which may go on in further lines, and the text after it. */
function quoted(rest: string, line: number): { value: string; after: string } {
  const [quote = ''] = rest;
  const end = rest.indexOf(quote, 1);
  if (end === -1) throw at(line, `the value has no closing ${quote}, give it or put the whole value into other quotes`);
  const inner = rest.slice(1, end);
  return { value: quote === '"' ? inner.replaceAll('\\n', '\n') : inner, after: rest.slice(end + 1) };
}

/** A value without quotes ends before white space and #; a # within it belongs to it. */
const plain = (text: string): string => text.replace(/[ \t]#.*$/, '').trim();

/**
 * Parses the text of a file .env. A value in quotes may have several lines, and `\n` in double quotes is a new line, as
 * for Node and other programs. Throws ConfigError, with the number of the line, for what it does not understand: a line
 * that is passed over may have been meant as the live service.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const found = new Map<string, { value: string; line: number }>();
  const lines = text.split(/\r\n|\n|\r/);
  for (let index = 0; index < lines.length; index += 1) {
    const [line, content] = [index + 1, lines[index]!]; // within the lines
    if (nothing.test(content)) continue;
    const [start, name = ''] = assignment.exec(content) ?? [];
    if (start === undefined) throw at(line, 'it sets no variable: write NAME=value, or # before a comment');
    if (ofNode.includes(name))
      throw at(line, `${name} has no effect here, because Node reads it at its start: set it in the environment`);
    const before = found.get(name);
    if (before) throw at(line, `${name} is set again after line ${before.line}: remove one of the two`);
    const written = content.slice(start.length);
    const rest = written.trimStart();
    if (!quotes.some((quote) => rest.startsWith(quote))) {
      found.set(name, { value: plain(written), line });
      continue;
    }
    const { value, after } = quoted([rest, ...lines.slice(index + 1)].join('\n'), line);
    const [ending = ''] = after.split('\n');
    if (!nothing.test(ending))
      throw at(line, 'there is text after the closing quote: put the whole value into other quotes');
    found.set(name, { value, line });
    index += value.split('\n').length - 1;
  }
  return Object.fromEntries([...found].map(([name, { value }]) => [name, value]));
}

/**
 * Reads the file .env of this folder, if there is one, into the environment, whose own variables have precedence. Throws
 * ConfigError if it cannot be read or understood.
 */
export function loadEnvFile(environment: NodeJS.ProcessEnv = process.env): void {
  if (!lstatSync('.env', { throwIfNoEntry: false })) return;
  let text: string;
  try {
    text = decodeText(readFileSync('.env'), '.env');
  } catch (error) {
    throw new ConfigError([`${problemOf(error as NodeJS.ErrnoException)}.`]); // of the file system or of decodeText
  }
  for (const [name, value] of Object.entries(parseEnvFile(text)))
    if (environment[name] === undefined || isOfService(name, environment[name])) environment[name] = value;
}

export { logFormat } from './complain.ts'; // for the script that starts the console

/** `loadEnvFile` for a script: prints what is wrong and ends the process. */
export function loadEnvFileOrExit(): void {
  try {
    loadEnvFile();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.message);
    process.exit(1);
  }
}

function problemOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message;
  if (code === 'EISDIR') return '.env is a folder: give a file with variables, or rename it';
  if (code === 'ENOENT') return '.env is a link to a file that is missing: put the file there, or remove the link';
  return `.env cannot be read (${code}): give a file that this user may read`;
}
