/** Content-Disposition between the console's server and its page (RFC 6266): a name in ASCII, and whole in UTF-8. */

const whole = /; filename\*=UTF-8''([^;]+)$/;

/** Returns the header that offers a file under a safe name. */
export function dispositionOf(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The name in such a header; '' if it is another one. */
export const nameOffered = (disposition: string): string => decodeURIComponent(whole.exec(disposition)?.[1] ?? '');
