/**
 * Returns two time zones for the next hour: the local day of a program in the first one ends before that of the second one
 * begins. Both days are today somewhere, so that a service that knows its payers' zones takes them.
 */
export const zonesAroundMidnight = (now: number): readonly [before: string, after: string] =>
  new Date(now).getUTCHours() < 11 ? ['Etc/GMT+12', 'Etc/UTC'] : ['Etc/UTC', 'Etc/GMT-14'];
