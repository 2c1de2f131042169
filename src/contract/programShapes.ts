import { z } from 'zod';
import { longestProgramName } from './programs.ts';
import { data, text } from './shape.ts';

/** The schemas of programs' tokens. */

const tokenSchema = z
  .object({
    tokenId: text,
    name: text,
    /** The beginning of the token. */
    beginning: text,
    /** The complete token, in the list only, until the user has confirmed to have it or a program has used it. */
    token: text.optional(),
    /** ISO times; `usedAt` is '' before the first call, and precise to ten seconds. */
    madeAt: text,
    expiresAt: text,
    usedAt: text,
    expired: z.boolean(),
  })
  .meta({ id: 'ProgramToken' });

export const programShapes = {
  /** `recorded`: whether calls appear in the timeline, which can be disabled. */
  getPrograms: { answer: data(z.object({ recorded: z.boolean(), tokens: z.array(tokenSchema) })) },
  makeProgramToken: {
    body: z.object({
      name: text
        .trim()
        .min(1, 'give the program a name')
        .max(longestProgramName, `a name of at most ${longestProgramName} characters`),
    }),
    answer: data(z.object({ token: text, made: tokenSchema })),
  },
  confirmProgramToken: { params: z.object({ tokenId: text }), answer: data(z.null()) },
  revokeProgramToken: { params: z.object({ tokenId: text }), answer: data(z.null()) },
};

export type ProgramTokenShown = z.infer<typeof tokenSchema>;
