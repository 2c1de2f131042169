import { longestProgramName as longest, mostProgramTokens } from '#contract/programs.ts';
import type { ProgramTokenShown } from '#contract/programShapes.ts';
import { entered, isBlank, lengthOf } from '#contract/text.ts';
import type { FieldError } from './fieldError.ts';
import type { Form } from './field.ts';

/** The form that creates a program's token. */
export const programForm: Form = {
  fields: [
    {
      id: 'name',
      label: 'Name of the program',
      example: 'Nightly payments',
      required: true,
      kind: 'text',
      description: 'Its calls carry this name in the timeline',
      options: [],
      regex: '',
      longest,
      paths: ['name'],
      errorMessage: 'Name of the program: enter a value',
    },
  ],
};

/**
 * Returns why no token can be created with this name beside the existing ones; [] if one can. At most
 * `mostProgramTokens` may be unexpired.
 */
export function programErrors(name: string, tokens: readonly Pick<ProgramTokenShown, 'expired'>[]): FieldError[] {
  const error = (message: string) => [{ id: 'name', message: `Name of the program: ${message}` }];
  if (isBlank(name)) return error('enter a value');
  if (lengthOf(entered(name)) > longest) return error(`enter at most ${longest} characters`);
  return tokens.filter(({ expired }) => !expired).length < mostProgramTokens
    ? []
    : error(`there are ${mostProgramTokens} tokens already, revoke one that no program uses`);
}
