import { z } from 'zod';
import { validationSchema, type FileFormat } from '#contract/lookup.ts';

/**
 * A file format's rule as a column of its file. What wire, section 9 leaves open is a choice made here: `line`
 * (which line of the record), `content` (what rules without sourceValidation hold) and everything in `destination`
 * beside the column range.
 */
export const columnSchema = z.looseObject({
  ruleId: z.string(),
  type: z.enum(['Header', 'Detail', 'Trailer']),
  line: z.int().positive().default(1),
  sourceValidation: validationSchema.optional(),
  destination: z.object({
    /** First and last column, counted from 1, e.g. '31-56'. */
    destination: z
      .string()
      .regex(/^[1-9]\d*-[1-9]\d*$/, 'a column range such as 31-56')
      .transform((range) => {
        const [first = 0, last = 0] = range.split('-').map(Number);
        return { range, first, width: last - first + 1 };
      }),
    justify: z.enum(['left', 'right']).default('left'),
    pad: z.string().length(1).default(' '),
    /** Whether a longer text may be cut: a left-justified one keeps its beginning, a right-justified one its end. */
    truncate: z.boolean().default(false),
    /** First and last character of the value that are written, e.g. '1-8'. */
    part: z
      .string()
      .regex(/^\d+-\d+$/)
      .optional(),
    /** 'minorUnits': a decimal amount in the payment's currency; 'unaccented': letters without their accents. */
    format: z.enum(['minorUnits', 'unaccented']).optional(),
    /** For dates, UTC: YYYY, YY, MM, DD, DDD (day of the year), HH and mm are replaced. */
    date: z.string().optional(),
  }),
  content: z
    .union([
      z.strictObject({ constant: z.string() }),
      /** The value at a jsonPath that another rule validates. */
      z.strictObject({ copy: z.string() }),
      /** The sum over all payments of what the jsonPath holds. */
      z.strictObject({ sum: z.string() }),
      z.strictObject({ count: z.enum(['payments', 'lines', 'blocks']), plus: z.int().default(0) }),
      /** The running number of the line or of the payment, from 1. */
      z.strictObject({ number: z.enum(['line', 'payment']) }),
      /** When the file was made. */
      z.strictObject({ created: z.literal(true) }),
    ])
    .optional(),
});

export type Column = z.output<typeof columnSchema>;

const blockSchema = z.object({ lines: z.int().positive(), fill: z.string().length(1) }).optional();

/** The rules of a format that have a place in the file; a rule without a destination is checked but not written. */
export function columnsOf({ specification }: FileFormat) {
  const placed = specification.rules.filter(({ destination }) => destination !== undefined);
  return { columns: z.array(columnSchema).parse(placed), block: blockSchema.parse(specification['block']) };
}
