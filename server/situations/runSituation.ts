import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { jsonIn } from '#contract/json.ts';
import { situationShapes } from '#contract/situation.ts';
import { decodeText } from '#rules/decodeText.ts';
import { ownersNamed } from '#rules/owners.ts';
import { printableLine } from '#rules/printable.ts';
import { askConsole, ConsoleUseError } from '#server/http/askConsole.ts';

const { saveSituation, openSituation } = situationShapes;

const help = `Saves a situation of a console's sandbox in one file, or opens it there (docs/sandbox.md).

  save FILE --console URL  saves sandbox, clock, faults, companies and timeline; --step PATH names the page to open
  open FILE --console URL  replaces sandbox and companies of that console by the file's, and names those that end
  --help                   prints this text

The console must need no sign-in, have the version that saved the file, and use a sandbox. Exit status: 0 done, 2 not done.
`;

const options = { console: { type: 'string' }, step: { type: 'string' }, help: { type: 'boolean' } } as const;

interface Output {
  print: (text: string) => void;
  complain: (line: string) => void;
}

/** Wrong use, or a refusal; the message says what would be right. */
class UseError extends Error {}

function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UseError(`${(error as Error).message.split('. ')[0]}: --help lists the options.`); // parseArgs throws errors
  }
}

/** Throws UseError if the answer is none of a console's. */
function answerOf<Answer>(schema: z.ZodType<Answer>, answer: unknown, address: string): Answer {
  const { data, error } = schema.safeParse(answer);
  if (error)
    throw new UseError(`${address} does not answer as a console of this version does: is it the address of one?`);
  return data;
}

async function run(args: readonly string[], print: (text: string) => void): Promise<void> {
  const { values, positionals } = optionsOf(args);
  if (values.help) return print(help);
  const [what = '', file = '', ...more] = positionals;
  if (!['save', 'open'].includes(what) || file === '' || more.length > 0)
    throw new UseError('Give save or open, and one file: --help shows how.');
  const { console: address = '', step } = values;
  const { path } = calls.saveSituation;
  if (what === 'save') {
    const query = step === undefined ? '' : `?${new URLSearchParams({ step }).toString()}`;
    const situation = answerOf(saveSituation.answer, await askConsole(address, path + query), address);
    await writeFile(file, `${JSON.stringify(situation, null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      throw new UseError(`${file} cannot be written: ${error.message}.`);
    });
    return print(`Saved in ${file}.\n`);
  }
  const text = await readFile(file)
    .then((bytes) => decodeText(bytes, file))
    .catch(({ code, message }: NodeJS.ErrnoException) => {
      throw new UseError(`${code === undefined ? message : `${file} cannot be read: ${message}`}.`); // of decodeText or the file system
    });
  if (jsonIn(text) === undefined)
    throw new UseError(`${file} is not JSON, or not all of it: give a file that this console has saved.`);
  const headers = { 'content-type': 'application/json' };
  const answer = await askConsole(address, path, { method: 'POST', body: text, headers });
  const { data } = answerOf(openSituation.answer, answer, address);
  const lines = [
    `Opened: ${address.replace(/\/+$/, '') + data.step}`,
    ...(data.ended.length > 0 ? [`Removed, because the file does not have it: ${ownersNamed(data.ended)}`] : []),
    ...data.notes.map((note) => `Not set again: ${note}`),
  ];
  print(`${lines.map(printableLine).join('\n')}\n`);
}

/** Runs the command; resolves to its exit status. */
export async function runSituation(args: readonly string[], { print, complain }: Output): Promise<number> {
  try {
    await run(args, print);
    return 0;
  } catch (error) {
    if (!(error instanceof UseError || error instanceof ConsoleUseError)) throw error;
    complain(printableLine(error.message));
    return 2;
  }
}
