import { z } from 'zod';
import type { Outcome } from './simulate.ts';

/** A world that is repeated by its decisions, whatever its seed decides once the world has grown. */
const storySchema = z.object({
  seed: z.number().int(),
  /** The accidents of which it tells. */
  accidents: z.array(z.string()),
  decisions: z.record(z.string(), z.array(z.number().int())),
});
type Story = z.output<typeof storySchema>;

export const storyOf = ({ seed, accidents, decisions }: Outcome): string =>
  `${JSON.stringify({ seed, accidents: [...accidents.values()], decisions } satisfies Story)}\n`;

/** Reads a story. Throws an error that says what is wrong with it. */
export function storyFrom(text: string): Story {
  const { data, error } = storySchema.safeParse(JSON.parse(text));
  if (data) return data;
  throw new Error(`This is no story: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
}
