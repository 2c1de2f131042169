import { readFile, writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { jsonIn } from '#contract/json.ts';
import { situationShapes } from '#contract/situation.ts';
import { decodeText } from '#rules/decodeText.ts';
import { ownersNamed } from '#rules/owners.ts';
import { printableLine } from '#rules/printable.ts';
import { UseError } from '#rules/useError.ts';
import { parsedArguments, statusOf, type Output } from '#server/command.ts';
import { askConsole } from '#server/http/askConsole.ts';

const { saveSituation, openSituation } = situationShapes;

const help = `Saves a situation of a console's sandbox in one file, or opens it there (docs/sandbox.md).

  save FILE --console URL  saves sandbox, clock, faults, companies and timeline; --step PATH names the page to open
  open FILE --console URL  replaces sandbox and companies of that console by the file's, and names those that end
  --help                   prints this text

The console must need no sign-in, have the version that saved the file, and use a sandbox. Exit status: 0 done, 2 not done.
`;

const options = { console: { type: 'string' }, step: { type: 'string' }, help: { type: 'boolean' } } as const;

/** Throws UseError if the answer is none of a console's. */
function answerOf<Answer>(schema: z.ZodType<Answer>, answer: unknown, address: string): Answer {
  const { data, error } = schema.safeParse(answer);
  if (error)
    throw new UseError(`${address} does not answer as a console of this version does: is it the address of one?`);
  return data;
}

async function run(args: readonly string[], print: Output['print']): Promise<number> {
  const { values, positionals } = parsedArguments({ args: [...args], options, allowPositionals: true });
  if (values.help) {
    print(help);
    return 0;
  }
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
    print(`Saved in ${file}.\n`);
    return 0;
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
  return 0;
}

/** Runs the command; resolves to its exit status. */
export const runSituation = (args: readonly string[], { print, complain }: Output): Promise<number> =>
  statusOf(
    () => run(args, print),
    (line) => complain(printableLine(line)),
  );
