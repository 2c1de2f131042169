import type { Walk } from '#runner/actions.ts';

const isFull = (part: object): boolean => Object.keys(part).length > 0;

/** The text of a file of journeys (docs/journeys.md), without empty parts. */
export const fileOf = (walks: readonly Walk[]): string =>
  JSON.stringify({
    kind: 'payments-out-journeys',
    version: 1,
    journeys: walks.map(({ journey, values, choices }) => ({
      journey,
      ...(isFull(values) && { values }),
      ...(isFull(choices) && { choices }),
    })),
  });
