/** An id as its first eight and last four characters; one that is hardly longer stays whole. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

/** What may be an id: a long word of letters, digits and dashes. Services need not make theirs as UUIDs. */
const longWord = /\w[\w-]{16,}/g;

/** A text with its ids shortened: its long words with a digit in them. */
export const withShortIds = (text: string): string =>
  text.replace(longWord, (word) => (/\d/.test(word) ? shortId(word) : word));
