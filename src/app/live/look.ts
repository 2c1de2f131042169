import type { Question } from '#machines/lookup.chart.ts';
import { fulfil, port } from '#machines/port.ts';

/** Supplies the one port of a page that asks and shows. */
export const look = <Result>(run: (question: Question, signal: AbortSignal) => Promise<Result>) => ({
  actors: { look: fulfil(port<Question, Result>('look'), run) },
});
