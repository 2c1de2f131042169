import { chdir, cwd } from 'node:process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '#server/config/configError.ts';
import { loadEnvFile, parseEnvFile } from '#server/config/envFile.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The variables of a folder with this file .env, or the sentence with which it is refused. */
function loaded(file: string | Uint8Array | ((path: string) => void), environment: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const path = join(folder, '.env');
  if (typeof file === 'function') file(path);
  else writeFileSync(path, file);
  const before = cwd();
  onTestFinished(() => chdir(before));
  chdir(folder);
  try {
    loadEnvFile(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message; // just checked
  } finally {
    chdir(before);
  }
  return environment;
}

const live = 'UPSTREAM=live\r\nPORT=0\r\n';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('A file .env', () => {
  it.each<[string, string | Uint8Array]>([
    ['UTF-8', live],
    ['UTF-8 with a byte order mark', `\uFEFF${live}`],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${live}`, 'utf16le')],
    ['UTF-16 in the other byte order', swapped(`\uFEFF${live}`)],
    ['lines that end with CR alone', live.replaceAll('\r\n', '\r')],
  ])('is read in %s', (_, bytes) => {
    expect(loaded(bytes)).toEqual({ UPSTREAM: 'live', PORT: '0' });
  });

  it.each<[string, Uint8Array | ((path: string) => void), string]>([
    [
      'UTF-16 without a mark',
      Buffer.from(live, 'utf16le'),
      '.env holds NUL characters, perhaps as UTF-16: save it in UTF-8.',
    ],
    ['Latin-1', Buffer.from('# é\nPORT=1', 'latin1'), '.env is not encoded in UTF-8: save it in UTF-8.'],
    ['a folder', (path) => mkdirSync(path), '.env is a folder: give a file with variables, or rename it.'],
    [
      'a link to nothing',
      (path) => symlinkSync('/nowhere/.env', path),
      '.env is a link to a file that is missing: put the file there, or remove the link.',
    ],
    [
      'a link to itself',
      (path) => symlinkSync('.env', path),
      '.env cannot be read (ELOOP): give a file that this user may read.',
    ],
  ])('is refused, not ignored, if it is %s', (_, file, sentence) => {
    expect(loaded(file)).toBe(sentence);
  });

  it('may be missing, and yields to the environment, also to an empty variable there', () => {
    expect(loaded(() => undefined)).toEqual({});
    expect(loaded('PORT=1\nHOST=::1\nLOG_LEVEL=info', { PORT: '2', HOST: '' })).toEqual({
      PORT: '2',
      HOST: '',
      LOG_LEVEL: 'info',
    });
  });

  it.each([
    ['PORT=1', '1'],
    ['PORT = 1 ', '1'],
    ['\texport  PORT=1', '1'],
    ['PORT=', ''],
    ['PORT= # nothing', ''],
    ['PORT=pa#ss', 'pa#ss'],
    ['PORT=#pass', '#pass'],
    ['PORT=pass #word', 'pass'],
    ['PORT=pass\t# word', 'pass'],
    ['PORT="pass #word" # comment', 'pass #word'],
    ["PORT='pa\"ss'", 'pa"ss'],
    ['PORT=`it\'s "it"`', 'it\'s "it"'],
    ["PORT=it's", "it's"],
    ['PORT="a=b=c=="', 'a=b=c=='],
    ['PORT=a=b=c==', 'a=b=c=='],
    ['PORT="a\\nb"', 'a\nb'],
    ["PORT='a\\nb'", 'a\\nb'],
    ['PORT="a\r\nb"', 'a\nb'],
    ['PORT="  a  "', '  a  '],
    ['PORT=a b', 'a b'],
    ['PORT=$HOME', '$HOME'],
    ['# PORT=2\n\n  # more\nPORT=1\n#', '1'],
  ])('sets a variable by %j', (text, value) => {
    expect(parseEnvFile(text)).toEqual({ PORT: value });
  });

  it.each<[string, number, string]>([
    ['UPSTREAM live', 1, 'it sets no variable: write NAME=value, or # before a comment'],
    ['A=1\n\nUPSTREAM: live', 3, 'it sets no variable: write NAME=value, or # before a comment'],
    ['// comment', 1, 'it sets no variable: write NAME=value, or # before a comment'],
    ['2FAST=1', 1, 'it sets no variable: write NAME=value, or # before a comment'],
    ['=1', 1, 'it sets no variable: write NAME=value, or # before a comment'],
    ['P\u200bORT=1', 1, 'it sets no variable: write NAME=value, or # before a comment'],
    ['A="x\nB=1\n', 1, 'the value has no closing ", give it or put the whole value into other quotes'],
    ["A=1\nB='x", 2, "the value has no closing ', give it or put the whole value into other quotes"],
    ['A="x"y', 1, 'there is text after the closing quote: put the whole value into other quotes'],
    ['A="x" "y"', 1, 'there is text after the closing quote: put the whole value into other quotes'],
    ['A="1\n2"\nB=1\nA=1', 4, 'A is set again after line 1: remove one of the two'],
    ['A=1\nexport A=1', 2, 'A is set again after line 1: remove one of the two'],
    ...[
      'NODE_EXTRA_CA_CERTS',
      'NODE_OPTIONS',
      'NODE_USE_SYSTEM_CA',
      'NODE_USE_ENV_PROXY',
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
    ].map((name): [string, number, string] => [
      `A=1\n${name}=/etc/ssl/own.pem`,
      2,
      `${name} has no effect here, because Node reads it at its start: set it in the environment`,
    ]),
  ])('is refused with the number of the line for %j, without its text', (text, line, problem) => {
    expect(() => parseEnvFile(text)).toThrow(new ConfigError([`.env, line ${line}: ${problem}.`]));
  });

  it('gives a variable that Kubernetes has set for a Service, and no other that the environment has', () => {
    const environment = loaded('SANDBOX_PORT=3001\nPORT=3000', { SANDBOX_PORT: 'tcp://10.0.0.11:80', PORT: '8080' });
    expect(environment).toEqual({ SANDBOX_PORT: '3001', PORT: '8080' });
  });
});
