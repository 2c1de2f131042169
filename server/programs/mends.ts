/** Returns how to mend what was seen, each advice once: that of the check, `general`, where a finding has none of its own. */
export function mendsOf(general: string, seen: readonly { mend?: string }[]): string[] {
  const own = [...new Set(seen.map(({ mend }) => mend || general))];
  return own.length > 0 ? own : [general];
}
