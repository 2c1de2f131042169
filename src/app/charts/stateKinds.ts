import type { StateKind } from '#machines/lib/chart.ts';

/** The appearance of each kind of state; the mark conveys the same information as the colour. */
export const kinds: Record<StateKind, { mark: string; word: string; stroke: string; fill: string; dashed?: true }> = {
  open: { mark: '', word: 'open to the user', stroke: 'fg-muted', fill: 'bg' },
  asking: { mark: '⇄', word: 'asks the server', stroke: 'fg-muted', fill: 'bg-subtle' },
  waiting: { mark: '…', word: 'waits', stroke: 'waiting', fill: 'waiting-subtle', dashed: true },
  deciding: { mark: '?', word: 'decides at once', stroke: 'border-control', fill: 'bg', dashed: true },
  gate: { mark: '∅', word: 'gate', stroke: 'waiting', fill: 'waiting-subtle' },
  failed: { mark: '✕', word: 'failed', stroke: 'failed', fill: 'failed-subtle' },
  done: { mark: '✓', word: 'done', stroke: 'done', fill: 'done-subtle' },
  left: { mark: '■', word: 'the end', stroke: 'fg-muted', fill: 'bg-muted' },
};
