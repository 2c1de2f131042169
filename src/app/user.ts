/** The content of a meta element that the server writes into the page; '' if absent. */
const metaOf = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

/** The name of the user for whom the page was loaded; '' if no sign-in is required. */
export const userName = (): string => metaOf('user');
/** Identifies the user, because two users may have the same name; '' if no sign-in is required. */
export const subject = (): string => metaOf('subject');
