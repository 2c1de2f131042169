/** What the server has written into the page; '' if nothing. */
const metaOf = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

/** Whose page this is, as it was loaded; '' where nobody has to sign in. */
export const userName = (): string => metaOf('user');
/** Tells users apart, who may be shown under the same name; '' where nobody has to sign in. */
export const subject = (): string => metaOf('subject');
