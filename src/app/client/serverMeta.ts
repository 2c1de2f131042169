const given = new Map<string, string>();

/** Sets what `serverMeta` returns where there is no document: when the page is rendered at build time. */
export const setServerMeta = (name: string, content: string): void => void given.set(name, content);

/** The content of a meta element that the server writes into the page; '' if absent. */
export const serverMeta = (name: string): string =>
  typeof document === 'undefined'
    ? (given.get(name) ?? '')
    : (document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '');
