/**
 * Whether a link points to one of the providers' origins: over HTTP or HTTPS, and without a user, whose name would look
 * like a host. Other links of the service are shown as text. A `blob:` link has the origin of whoever made it.
 */
export function isAllowedLink(origins: readonly string[], link = ''): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, origin, username, password } = new URL(link);
  return /^https?:$/.test(protocol) && username === '' && password === '' && origins.includes(origin);
}
