import { z } from 'zod';
import { longestProgramName } from './programs.ts';
import { faultRuleSchema, type FaultRule } from './controlShapes.ts';
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

/** When something was first seen, with the status of that call; null if it was not seen. */
const firstSeen = z.object({ at: text, status: z.int() }).nullable();

const verdictSchema = z
  .object({
    /** Among the latest calls of the user's programs at the embedded sandbox; null for another service. */
    connection: z.object({ calls: z.int(), lastAt: text, call: firstSeen, payment: firstSeen }).nullable(),
    /** The verification that runs; null if none does. */
    running: z.object({ startedAt: text, done: z.int(), of: z.int() }).nullable(),
    /** Why the latest run ended without a verdict; '' if it has one. */
    stopped: text,
    /** The latest verdict; null if there is none, or the console has users. */
    report: z
      .object({
        command: text,
        /** The options with which it is repeated, as words of a shell; null if they or the command contain a secret. */
        again: text.nullable(),
        endedAt: text,
        ms: z.number(),
        /** How many scenarios have a verdict, how many of them the latest run judged, and how many there are. */
        scenarios: z.int(),
        latest: z.int(),
        all: z.int(),
        checks: z.array(
          z.object({
            id: text,
            group: text,
            title: text,
            why: text,
            mend: text,
            verdict: z.enum(['passed', 'failed', 'not exercised']),
            /** Why the check may fail; '' if it may not. */
            allowed: text,
            seen: z.array(z.object({ says: text, scenario: text, calls: z.array(z.int()) })),
          }),
        ),
        /** The verdicts on this program, oldest first: how many checks passed, and the titles of those that failed. */
        history: z.array(z.object({ endedAt: text, passed: z.int(), failed: z.array(text) })),
        /** The scenarios in which a check failed, with their calls. `status`: 0 if there was no response. */
        failed: z.array(
          z.object({
            id: text,
            title: text,
            calls: z.array(
              z.object({
                number: z.int(),
                at: text,
                method: text,
                path: text,
                status: z.int(),
                fault: text,
                key: text,
              }),
            ),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'ProgramVerdict' });

/** A value by which a program finds the service. */
const valueSchema = z
  .object({
    /** The environment variables that hold it: the one of docs/verify.md, and the one that copied code reads. */
    variables: z.array(text),
    /** Where it goes. */
    says: text,
    /** Masked where it is a secret that was not asked for; '' if there is none yet. */
    value: text,
    secret: z.boolean(),
  })
  .meta({ id: 'ProgramValue' });

export const programShapes = {
  getProgramEnvironment: {
    query: z.object({
      reveal: text
        .optional()
        .meta({ description: 'The variable whose secret is given, or `all`; a live service’s are always masked' }),
    }),
    answer: data(z.array(valueSchema)),
  },
  /** `recorded`: whether calls appear in the timeline, which can be disabled. */
  getPrograms: { answer: data(z.object({ recorded: z.boolean(), tokens: z.array(tokenSchema) })) },
  getProgramChecks: { answer: data(z.array(checkSchema)) },
  getProgramVerdict: { answer: data(verdictSchema) },
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
export type ProgramVerdict = z.infer<typeof verdictSchema>;
export type ProgramValue = z.infer<typeof valueSchema>;
export type ProgramTokenShown = z.infer<typeof tokenSchema>;
