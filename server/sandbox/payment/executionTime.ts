import { locale } from '#contract/constants.ts';
import { dayOf } from '#contract/executionDate.ts';
import { nextProcessingDay, type Scheme } from '#rules/bankingDays.ts';

/** Time zones of the countries whose days begin before those of UTC; in the others, banks follow UTC here. */
const zones: Readonly<Record<string, string>> = {
  AU: 'Australia/Sydney',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  ZA: 'Africa/Johannesburg',
};

/** How far the local time of a zone is ahead of UTC, in ms. */
function leadOf(timeZone: string, now: number): number {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours = '0', minutes = '0'] = /^GMT\+(\d\d):(\d\d)$/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/**
 * Returns the time (ms) until a batch may be executed: until its execution date in UTC, or in one of the provider's
 * countries if it is reached there earlier; with a scheme, until the next day from then and from now on that it processes.
 * 0 if it is reached.
 */
export function timeUntilExecution(
  executionDate: string,
  countries: readonly string[],
  now: number,
  scheme?: Scheme,
): number {
  const leads = countries.flatMap((country) => (zones[country] === undefined ? [] : leadOf(zones[country], now)));
  const there = now + Math.max(0, ...leads);
  if (!scheme) return Math.max(0, Date.parse(executionDate) - there);
  const today = dayOf(new Date(there).toISOString());
  const asked = dayOf(executionDate);
  const day = nextProcessingDay(scheme, asked > today ? asked : today);
  return Math.max(0, Date.parse(day === asked ? executionDate : `${day}T00:00:00Z`) - there);
}
