import type { Settings } from '#contract/settings.ts';
import type { Question } from '#machines/lookup.chart.ts';
import { call } from '../client.ts';

/** What the address says of a question, by the names of its choices. */
export const questionIn =
  (...names: string[]) =>
  (query: URLSearchParams): Question =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = query.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );

/** The country and language that are asked for; what is not chosen is that of the settings. */
export async function localeOf(
  { country, language }: Question,
  setting: keyof Settings & `${string}Country`,
  signal: AbortSignal,
): Promise<{ country: string; language: string }> {
  const settings = await call('getSettings', { signal });
  return { country: country ?? settings[setting], language: language ?? settings.acceptLanguage };
}
