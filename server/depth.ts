/** Levels of nesting that nothing sensible needs: what walks JSON by recursion fails on thousands. */
const deepest = 100;

/** Whether a JSON value is nested deeper than anything sensible. */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
