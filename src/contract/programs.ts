import { z } from 'zod';
import { data, text } from './shape.ts';

/** The tokens with which programs of the user's own call through the console (docs/rehearse.md). */

/** The header of a program's call that holds its token. */
export const programTokenHeader = 'x-console-token';
/** The path below which programs call; the service's own path follows. */
export const programPath = '/program';
/**
 * The header by which the console names a call that it passes to its embedded sandbox, which tells there what was wrong
 * with it.
 */
export const passedCallHeader = 'x-console-call';
/** Time (ms) for which a token is accepted, and the maximum number of tokens of a workspace. */
export const programTokenLife = 30 * 24 * 60 * 60_000;
export const mostProgramTokens = 10;
const longestName = 60;

const tokenSchema = z
  .object({
    tokenId: text,
    name: text,
    /** The beginning of the token; the token itself is told once, when it is made. */
    beginning: text,
    /** ISO times; `usedAt` is '' before the first call, and exact to ten seconds. */
    madeAt: text,
    expiresAt: text,
    usedAt: text,
    expired: z.boolean(),
  })
  .meta({ id: 'ProgramToken' });

export const programShapes = {
  /** `recorded`: whether calls appear in the timeline, which may be switched off. */
  getPrograms: { answer: data(z.object({ recorded: z.boolean(), tokens: z.array(tokenSchema) })) },
  makeProgramToken: {
    body: z.object({
      name: text
        .trim()
        .min(1, 'give the program a name')
        .max(longestName, `a name of at most ${longestName} characters`),
    }),
    answer: data(z.object({ token: text, made: tokenSchema })),
  },
  revokeProgramToken: { params: z.object({ tokenId: text }), answer: data(z.null()) },
};

export type ProgramTokenShown = z.infer<typeof tokenSchema>;
