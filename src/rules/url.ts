/** Path and query of a URL; a text that is not a URL, such as a path, is returned unchanged. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The path of a URL without its query; of a path, what precedes its query. */
export const pathnameOf = (url: string): string => pathOf(url).replace(/[?#].*$/s, '');
