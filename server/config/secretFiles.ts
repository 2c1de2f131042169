import { readFileSync } from 'node:fs';
import { decodeText } from '#rules/decodeText.ts';
import { ConfigError } from './configError.ts';
import { secrets } from './environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Names of variables that name a file with a secret, as orchestrators mount it. */
export const secretFileNames: readonly string[] = secrets.map((name) => `${name}_FILE`);

function secretAt(path: string): string {
  try {
    const text = decodeText(readFileSync(path), 'which').replace(/\r?\n$/, '');
    if (text !== '') return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // of the file system or of decodeText
    throw new Error(code === undefined ? message : `which cannot be read (${code})`, { cause: error });
  }
  throw new Error('which is empty');
}

/** Returns the variables with the secrets of the files that they name. Throws ConfigError. */
export function withSecretFiles(variables: Variables): Variables {
  const sentences: string[] = [];
  const read = secrets.flatMap((name): [string, string][] => {
    const path = variables[`${name}_FILE`];
    if (!path) return [];
    try {
      if (variables[name]) throw new Error(`beside ${name}`);
      return [[name, secretAt(path)]];
    } catch (error) {
      const { message } = error as Error; // of this function
      sentences.push(`${name}_FILE is ${JSON.stringify(path)}, ${message}: give a file with the secret, or ${name}.`);
      return [];
    }
  });
  if (sentences.length > 0) throw new ConfigError(sentences);
  return { ...variables, ...Object.fromEntries(read) };
}
