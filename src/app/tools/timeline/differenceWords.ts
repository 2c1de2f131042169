import type { ListedDifference } from '#contract/description.ts';

/** What a difference means for this console. */
export const effectWords: Readonly<Record<ListedDifference['effect'], string>> = {
  works: 'Still works',
  partly: 'Leaves this part out',
  fails: 'Cannot use the response',
};
