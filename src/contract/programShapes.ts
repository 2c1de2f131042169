import { z } from 'zod';
import { longestProgramName } from './programs.ts';
import { faultRuleSchema, type FaultRule } from './labShapes.ts';
import { atMost, data, text } from './shape.ts';
import { entered } from './text.ts';

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

const checkSchema = z
  .object({
    id: text,
    group: text,
    title: text,
    why: text,
    mend: text,
    verdict: z.enum(['passed', 'failed', 'not exercised']),
    /** What shows the mistake: a sentence, and the calls that it is about. `status`: 0 if there was no response. */
    seen: z.array(
      z.object({
        says: text,
        calls: z.array(z.object({ number: z.int(), at: text, method: text, operation: text, status: z.int() })),
      }),
    ),
    /** The fault with which a program exercises it; null if there is none that its calls could show. */
    exercise: (faultRuleSchema as unknown as z.ZodType<FaultRule, FaultRule>).nullable(), // the server's own
    /** Whether only `verify` can judge it. */
    verifyOnly: z.boolean(),
  })
  .meta({ id: 'ProgramCheck' });

export const programShapes = {
  /** `recorded`: whether calls appear in the timeline, which can be disabled. */
  getPrograms: { answer: data(z.object({ recorded: z.boolean(), tokens: z.array(tokenSchema) })) },
  getProgramChecks: { answer: data(z.array(checkSchema)) },
  makeProgramToken: {
    body: z.object({
      name: atMost(
        longestProgramName,
        `a name of at most ${longestProgramName} characters`,
        text.overwrite(entered).min(1, 'give the program a name'),
      ),
    }),
    answer: data(z.object({ token: text, made: tokenSchema })),
  },
  confirmProgramToken: { params: z.object({ tokenId: text }), answer: data(z.null()) },
  revokeProgramToken: { params: z.object({ tokenId: text }), answer: data(z.null()) },
};

export type ProgramCheck = z.infer<typeof checkSchema>;
export type ProgramTokenShown = z.infer<typeof tokenSchema>;
