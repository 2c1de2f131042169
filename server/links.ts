/** Only a link to a provider's own pages is one to follow; all else that the service sends is shown. */
export const leadsTo = (origins: readonly string[], link = ''): boolean =>
  URL.canParse(link) && origins.includes(new URL(link).origin);
