/** What a tool was asked, and what came of it. */
interface Claimed<Answer> {
  asked: string;
  answer: Promise<Answer>;
}

/** Returns a JSON text that does not depend on the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/**
 * Runs each intention once: a call with a known key gets the answer to the first one, also while that runs and if it has
 * failed, because what it did before it failed is not known here. Rejects if the key was used for another call.
 */
export function createOnceForKey<Answer>() {
  const claimed = new Map<string, Claimed<Answer>>();

  return async function onceForKey(
    { key, ...asked }: { key: string; tool: string; input: unknown },
    run: () => Promise<Answer>,
  ): Promise<{ answer: Answer; isRepeated: boolean }> {
    const text = canonical(asked);
    const known = claimed.get(key);
    if (known && known.asked !== text)
      throw new Error(`The idempotency key ${key} was used for another call: make a new key for another intention`);
    if (known) return { answer: await known.answer, isRepeated: true };
    const answer = run();
    claimed.set(key, { asked: text, answer });
    return { answer: await answer, isRepeated: false };
  };
}
