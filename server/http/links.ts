/** Whether a link points to one of the providers' origins. Other links of the service are shown as text. */
export const leadsTo = (origins: readonly string[], link = ''): boolean =>
  URL.canParse(link) && origins.includes(new URL(link).origin);
