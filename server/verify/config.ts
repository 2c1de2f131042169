import { z } from 'zod';
import { checks } from '#server/programs/checks/index.ts';
import { parseOptions, readOptionFile } from './optionFile.ts';

/** The file that is read from the current folder if no other one is given. */
const usualConfig = 'verify.json';

const ids = checks.map(({ id }) => id);
const noCheck = (input: unknown): string => `${String(input)} is no check: verify --list names them`;
const checkId = z.enum(ids, { error: ({ input }) => noCheck(input) });

/** The checks that may fail, each with the reason. */
const allowed = z.record(z.string(), z.string().trim().min(1, 'give the reason')).superRefine((given, context) => {
  for (const id of Object.keys(given))
    if (!ids.includes(id)) context.addIssue({ code: 'custom', path: [id], message: noCheck(id) });
});

const shape = z.strictObject({
  command: z
    .array(z.string().min(1), 'give the program and its arguments as a list, such as ["node", "pay.mjs"]')
    .min(1, 'name the program')
    .optional(),
  env: z.record(z.string(), z.string()).default({}),
  service: z.boolean().default(false),
  against: z.string().min(1).optional(),
  require: z.array(checkId).default([]),
  failOnNotExercised: z.boolean().default(false),
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
