import { UseError } from '#rules/useError.ts';
import { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import type { Comparison, Finding } from './compare.ts';

const filled = z.string().refine((text) => text.trim() !== '', 'a text that is not empty');
const why = 'a text that says why it is accepted';
/** A finding that is known and accepted, and why. */
const acceptedSchema = z.strictObject({
  call: filled,
  path: z.string(),
  expected: filled,
  came: filled,
  reason: z.string(why).refine((text) => text.trim() !== '', why),
});
const baselineSchema = z.array(acceptedSchema);
export type Accepted = z.output<typeof acceptedSchema>;

/** Reads a baseline. Throws UseError; `name` is what the user calls it. */
export function readBaseline(text: string, name: string): Accepted[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UseError(
      `${name} is not JSON: give a list of findings, each with call, path, expected, came and reason.`,
    );
  }
  const { data, error } = baselineSchema.safeParse(value, { error: shapeError });
  if (data) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  throw new UseError(
    `${name}: ${path.join('.') || 'the file'}: give ${message}. It is a list of findings, each with call, path, expected, came and reason.`,
  );
}

const identity = ({ call, path, expected, came }: Pick<Finding, 'call' | 'path' | 'expected' | 'came'>): string =>
  JSON.stringify([call, path, expected, came]);

/**
 * The findings that are new, those that are accepted, and the accepted ones that did not come: `gone` of a call that was
 * compared, `unseen` of one that was not.
 */
export function judge(
  { findings, compared, refused }: Pick<Comparison, 'findings' | 'compared' | 'refused'>,
  accepted: readonly Accepted[],
) {
  const reasons = new Map(accepted.map((each) => [identity(each), each.reason]));
  const came = new Set(findings.map(identity));
  const absent = accepted.filter((each) => !came.has(identity(each)));
  const isCompared = ({ call }: Accepted): boolean => compared[call] !== undefined || refused[call] !== undefined;
  return {
    fresh: findings.filter((each) => !reasons.has(identity(each))),
    known: findings.flatMap((each) => {
      const reason = reasons.get(identity(each));
      return reason === undefined ? [] : [{ ...each, reason }];
    }),
    gone: absent.filter(isCompared),
    unseen: absent.filter((each) => !isCompared(each)),
  };
}
