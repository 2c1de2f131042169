import { locale } from '#contract/constants.ts';

const seconds = (fraction: number) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: fraction });
const [short, long] = [seconds(2), seconds(1)];

/** A span of time (ms) in words: "42 ms", "0.97 s", "12.5 s", "2 h 14 min", "3 d 4 h". */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms < 9995 ? short : long).format(ms / 1000)} s`;
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  const parts = days > 0 ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`]; // prettier-ignore
  return parts.filter(Boolean).join(' ');
}
