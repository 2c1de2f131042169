import { z } from 'zod';
import { data, jsonSchema, text } from './shape.ts';

/** The schemas of the service's description, and of how its answers differ from it (docs/drift.md). */

/** What a difference means for the console, which reads answers more tolerantly than they are described. */
export const effects = ['works', 'partly', 'fails'] as const;

/** A kind of difference between what the service sent and its description, however often it came. */
const differenceSchema = z
  .object({
    /** The name of the operation, or `webhook` and its type. */
    call: text,
    /** The place in the body, `[]` for each element of a list; '' for the answer as a whole. */
    path: text,
    expected: text,
    came: text,
    times: z.int(),
    effect: z.enum(effects),
    /** When it came first and last. */
    first: text,
    last: text,
    /** The id of the latest entry of the timeline with it. */
    entry: text,
  })
  .meta({ id: 'Difference' });

export type ListedDifference = z.infer<typeof differenceSchema>;

export const descriptionShapes = {
  /** The OpenAPI document of the service. */
  getDescription: {
    answer: z.looseObject({
      openapi: text,
      info: z.looseObject({ title: text, version: text }),
      paths: z.record(text, z.record(text, jsonSchema)),
      webhooks: z.record(text, z.record(text, jsonSchema)),
      components: z.looseObject({ schemas: z.record(text, jsonSchema) }),
    }),
  },
  getDrift: {
    query: z.object({
      /** Only the differences of this entry of the timeline. */
      entry: text.optional(),
    }),
    answer: data(
      z.object({
        differences: z.array(differenceSchema),
        /** How many answers and webhooks were compared, and when the first of them came; '' if there was none. */
        compared: z.int(),
        since: text,
        /** What could not be compared, one sentence each. */
        left: z.array(text),
      }),
    ),
  },
};

export type Drift = z.infer<typeof descriptionShapes.getDrift.answer>['data'];
export type Description = z.infer<typeof descriptionShapes.getDescription.answer>;
