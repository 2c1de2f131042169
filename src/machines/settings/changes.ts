import type { Facts } from '#contract/facts.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';

/** One change of a setting: a key/value pair (behaviour, section 3). */
export interface Change {
  key: SettingKey;
  value: string;
}

/** Stored settings, and changes of them that are not saved yet. */
export interface QueuedChanges {
  facts: Facts;
  queue: readonly Change[];
}

/** The settings as the page shows them: stored values with the queued changes on top. */
export const shownSettings = ({ facts, queue }: QueuedChanges): Settings =>
  queue.reduce((shown, { key, value }) => ({ ...shown, [key]: value }), facts.settings);

/** Example values for unset settings: those for which the sandbox has the most data. */
const examples: readonly Change[] = [
  { key: 'providerCountry', value: 'GB' },
  { key: 'fileFormatCountry', value: 'GB' },
  { key: 'acceptLanguage', value: 'en' },
];

/** The examples of the settings that are not set, with the queued changes taken into account; none with a live service. */
export const missingExamples = (context: QueuedChanges): readonly Change[] =>
  context.facts.environment === 'sandbox' ? examples.filter(({ key }) => shownSettings(context)[key] === '') : [];
