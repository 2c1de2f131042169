/**
 * Where a part of the description comes from, as docs/wire.md marks it: `specification` is public or follows from the
 * console's calls, `sandbox` is a choice of this project. The numbers are those of its lines.
 */
export type Source = {
  'x-source': 'specification' | 'sandbox';
  'x-wire': string[];
};

export const specified = (...lines: string[]): Source => ({ 'x-source': 'specification', 'x-wire': lines });
export const chosen = (...lines: string[]): Source => ({ 'x-source': 'sandbox', 'x-wire': lines });
