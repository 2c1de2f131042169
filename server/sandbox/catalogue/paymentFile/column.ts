import { z } from 'zod';
import { validationSchema, type FileFormat } from '#contract/lookup.ts';

/**
 * A file format's rule as a column of its file. The parts that wire, section 9 leaves open are choices made here:
 * `line` (the line of the record), `content` (the content of columns without sourceValidation) and all members of
 * `destination` except the column range.
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
    /**
     * Whether a longer text may be truncated: a left-justified one keeps its beginning, a right-justified one its end.
     */
    truncate: z.boolean().default(false),
    /** Positions of the first and last character of the value to be written, e.g. '1-8'. */
    part: z
      .string()
      .regex(/^\d+-\d+$/)
      .optional(),
    /** 'minorUnits': a decimal amount in the payment's currency; 'unaccented': letters without their accents. */
    format: z.enum(['minorUnits', 'unaccented']).optional(),
    /** The pattern of a date in UTC: YYYY, YY, MM, DD, DDD (day of the year), HH and mm are replaced. */
    date: z.string().optional(),
  }),
  content: z
    .union([
      z.strictObject({ constant: z.string() }),
      /** The value at a jsonPath that another rule validates. */
      z.strictObject({ copy: z.string() }),
      /** The sum of the values at the jsonPath over all payments. */
      z.strictObject({ sum: z.string() }),
      z.strictObject({ count: z.enum(['payments', 'lines', 'blocks']), plus: z.int().default(0) }),
      /** The number of the line or of the payment, from 1. */
      z.strictObject({ number: z.enum(['line', 'payment']) }),
      /** The time at which the file is created. */
      z.strictObject({ created: z.literal(true) }),
    ])
    .optional(),
});

export type Column = z.output<typeof columnSchema>;

const blockSchema = z.object({ lines: z.int().positive(), fill: z.string().length(1) }).optional();

/** The columns of a format: its rules that have a destination; the other rules are checked but not written. */
export function columnsOf({ specification }: FileFormat) {
  const placed = specification.rules.filter(({ destination }) => destination !== undefined);
  return { columns: z.array(columnSchema).parse(placed), block: blockSchema.parse(specification['block']) };
}
