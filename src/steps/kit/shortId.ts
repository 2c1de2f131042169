/** An id as its first eight and last four characters; one that is hardly longer stays whole. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);
