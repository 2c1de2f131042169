/** Whether several servers may use the store with this URL. */
export const isSharedUrl = (url: string): boolean => /^postgres(ql)?:/.test(url);

/** A database's URL as it may be shown: host, port and name, without user and password. */
export function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** The password in a database's URL, if there is one. */
export function passwordIn(url: string): string[] {
  if (!isSharedUrl(url)) return [];
  const { password } = new URL(url);
  try {
    return [decodeURIComponent(password), password].filter(Boolean);
  } catch {
    return [password];
  }
}
