import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calls } from '#contract/calls.ts';
import { printable } from '#rules/printable.ts';

const help = `Saves a situation of a console's sandbox in one file, or opens it there (docs/sandbox.md).

  save FILE --console URL  saves sandbox, clock, faults, company and timeline; --step PATH names the page to open
  open FILE --console URL  replaces the sandbox of that console by the file's
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

/** Why a console has refused a call, in its words. */
async function refusalOf(answer: Response, url: string): Promise<string> {
  const problem = (await answer.json().catch(() => ({}))) as {
    detail?: string;
    errors?: { path: string; message: string }[];
  }; // a problem of the console, or anything else
  const [first] = problem.errors ?? [];
  return first ? `${first.path}: ${first.message}` : (problem.detail ?? `${url} answers with status ${answer.status}`);
}

async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, init).catch((error: Error) => {
    throw new UseError(`${url} is unreachable: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
  });
  if (!answer.ok) throw new UseError(`Not done. ${await refusalOf(answer, url)}`);
  return answer.json();
}

async function run(args: readonly string[], print: (text: string) => void): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) return print(help);
  const [what = '', file = '', ...more] = positionals;
  if (!['save', 'open'].includes(what) || file === '' || more.length > 0)
    throw new UseError('Give save or open, and one file: --help shows how.');
  const { console: address = '', step } = values;
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new UseError(
      `--console is ${JSON.stringify(address)}: give the address of a console, such as http://127.0.0.1:3000.`,
    );
  const url = new URL(calls.saveSituation.path, address);
  if (what === 'save') {
    if (step !== undefined) url.searchParams.set('step', step);
    await writeFile(file, `${JSON.stringify(await ask(url.href), null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      throw new UseError(`${file} cannot be written: ${error.message}.`);
    });
    return print(`Saved in ${file}.\n`);
  }
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UseError(`${file} cannot be read: ${error.message}.`);
  });
  const headers = { 'content-type': 'application/json' };
  const { data } = (await ask(url.href, { method: 'POST', body: text, headers })) as {
    data: { step: string; notes: string[] };
  }; // as the console declares
  print(
    `${[`Opened: ${new URL(data.step, address).href}`, ...data.notes.map((note) => `Not set again: ${note}`)].join('\n')}\n`,
  );
}

/** Runs the command; resolves to its exit status. */
export async function runSituation(args: readonly string[], { print, complain }: Output): Promise<number> {
  try {
    await run(args, print);
    return 0;
  } catch (error) {
    if (!(error instanceof UseError || error instanceof TypeError)) throw error;
    complain(printable(error.message));
    return 2;
  }
}
