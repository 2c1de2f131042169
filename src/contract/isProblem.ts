import type { Problem } from './problem.ts';

/** Whether a value is a problem; for the page, which loads no schemas. */
export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'title' in value && 'detail' in value;
