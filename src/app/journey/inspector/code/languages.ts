/** The languages of code samples, in their order. */
export const languages = ['cURL (bash)', 'fetch', 'Java', 'Python', 'Go', 'PHP'] as const;
export type Language = (typeof languages)[number];
