/** An id shortened to its first eight and last four characters; ids of up to 16 characters are returned unchanged. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

/** A possible id: a word of 17 or more letters, digits, underscores and dashes. Ids need not be UUIDs. */
const longWord = /\w[\w-]{16,}/g;

/** A text with its ids shortened; a long word counts as an id if it contains a digit. */
export const withShortIds = (text: string): string =>
  text.replace(longWord, (word) => (/\d/.test(word) ? shortId(word) : word));
