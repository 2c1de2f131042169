import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import { decodeText } from '#rules/decodeText.ts';
import { UseError } from '#rules/useError.ts';

/** Says where a fault is and what would be right. */
function sentenceOf({ path, code, message, ...issue }: z.core.$ZodIssue): string {
  const place = path.map(String).join('.') || 'its top';
  if (code !== 'unrecognized_keys') return `at ${place}: ${message}`;
  const { keys = [] } = issue as { keys?: readonly string[] }; // of this code
  return `at ${place}: ${keys.join(', ')} is no member here: the names are in docs/verify.md`;
}

/** Says behind "is not JSON" where a text stops being JSON, as far as the parser tells. */
function placeIn(source: string, { message }: Error): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const said = message.replace(/ (in JSON )?at position.*$/s, '').replaceAll('\n', ' ');
  if (position === undefined) return `: ${said}`;
  const before = source.slice(0, Number(position)).split('\n');
  return ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${said}`;
}

/** Parses the text of a file of options, called `path` in messages. Throws UseError. */
export function parseOptions<Options>(path: string, source: string, shape: z.ZodType<Options>): Options {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new UseError(`${path} is not JSON${placeIn(source, error as Error)}.`); // JSON.parse throws errors
  }
  const { data, error } = shape.safeParse(value, { error: shapeError });
  if (!error) return data;
  throw new UseError(`${path} is wrong ${sentenceOf(error.issues[0]!).replace(/(?<![?.])$/, '.')}`); // an error has issues
}

/** Reads the file that an option names; undefined if it may be absent, and is. Throws UseError. */
export async function readOptionFile(option: string, path: string, mayBeAbsent = false): Promise<string | undefined> {
  try {
    return decodeText(await readFile(path), `${option} ${path}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // of the file system or of decodeText
    if (code === undefined) throw new UseError(`${message}.`);
    if (mayBeAbsent && code === 'ENOENT') return undefined;
    if (code === 'ENOENT') throw new UseError(`${option} ${path} does not exist: give the path of the file.`);
    if (code === 'EISDIR') throw new UseError(`${option} ${path} is a folder: give the path of the file in it.`);
    throw new UseError(`${option} ${path} cannot be read: ${message}.`);
  }
}
