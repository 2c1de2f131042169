/** The name in a Content-Disposition of the console's server, which always gives it as `filename*`; '' if there is none. */
export const nameOffered = (disposition: string): string =>
  decodeURIComponent(/; filename\*=UTF-8''([^;]+)$/.exec(disposition)?.[1] ?? '');
