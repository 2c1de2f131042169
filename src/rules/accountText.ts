/** An account as its name and the last four characters of its number; '' if both are unknown. */
export const accountText = (name: string, number: string): string =>
  [name, number && `·· ${number.slice(-4)}`].filter(Boolean).join(' ');
