import { z } from 'zod';
import { checks } from '#server/programs/checks/index.ts';
import { meant } from '#server/similarNames.ts';
import { parseOptions, readOptionFile } from './optionFile.ts';

/** The file that is read from the current folder if no other one is given. */
const usualConfig = 'verify.json';

const ids = checks.map(({ id }) => id);
const noCheck = (input: unknown): string =>
  `${String(input)} is no check: verify --list names them.${meant(String(input), ids)}`;
const checkId = z.enum(ids, { error: ({ input }) => noCheck(input) });

/** The checks that may fail, each with the reason. */
const reason = z.string('give the reason as a text').trim().min(1, 'give the reason');
const reasons = 'name the checks that may fail, each with the reason, such as { "reading-polls": "…" }';
const allowed = z.record(z.string(), reason, reasons).superRefine((given, context) => {
  for (const id of Object.keys(given))
    if (!ids.includes(id)) context.addIssue({ code: 'custom', path: [id], message: noCheck(id) });
});

const isSo = z.boolean('give true or false');

const shape = z.strictObject({
  command: z
    .array(
      z.string('give a text').min(1, 'give a text that is not empty'),
      'give the program and its arguments as a list, such as ["node", "pay.mjs"]',
    )
    .min(1, 'name the program')
    .optional(),
  env: z
    .record(
      z.string(),
      z.string('give a text, such as "1"'),
      'name variables with their values, such as { "MODE": "test" }',
    )
    .default({}),
  service: isSo.default(false),
  repeatedInvoices: isSo.default(false),
  against: z.string('name the file of the mapping').min(1, 'name the file of the mapping').optional(),
  require: z.array(checkId, 'list the checks, such as ["write-paid"]').default([]),
  failOnNotExercised: isSo.default(false),
  allowedToFail: allowed.default({}),
});

/** What a project says about how its program is verified (docs/verify.md, "verify.json"). */
export type VerifyConfig = z.output<typeof shape>;

export const emptyConfig: VerifyConfig = shape.parse({});

/** Parses the text of such a file, called `path` in messages. Throws UseError. */
export const parseConfig = (path: string, text: string): VerifyConfig => parseOptions(path, text, shape);

/** Reads the file that is given, or else the usual one if there is one. Throws UseError. */
export async function readConfig(given: string | undefined): Promise<VerifyConfig> {
  const path = given ?? usualConfig;
  const text = await readOptionFile('--config', path, given === undefined);
  return text === undefined ? emptyConfig : parseConfig(path, text);
}
