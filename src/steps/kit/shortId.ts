/** An id as its first eight and last four characters; one that is hardly longer stays whole. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** A text with its ids shortened. */
export const withShortIds = (text: string): string => text.replace(uuid, shortId);
