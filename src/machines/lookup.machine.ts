import type { FileFormat, Health, Provider } from '#contract/entities.ts';
import { lookupChart } from './lookup.chart.ts';
import { bankFiles, consumerHealth, messagingHealth, providers, translations } from './lookup.journey.ts';

/** A row of the health table; Status is what the call said (behaviour, section 2). */
export type HealthRow = Health & {
  status: string;
  /** When it was asked, an ISO time. */
  readAt: string;
};

/** What has changed from one look to the next, in a sentence; '' after the first. */
export function healthNews(before: HealthRow | null, now: HealthRow | null): string {
  if (!before || !now) return '';
  const changed = (['status', 'version', 'branch', 'name'] as const).filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return 'Nothing has changed since the look before.';
  return `Changed since the look before: ${changed.map((name) => `${name} was ${before[name]}`).join(', ')}.`;
}

/** Rules whose texts can be looked up, and the text that was (behaviour, section 2: Translations). */
export interface Translation {
  entities: {
    id: string;
    type: 'FileFormat' | 'Provider';
    name: string;
    /** Only rules that have texts; `fields` are those of its texts that there are. */
    rules: { id: string; label: string; fields: string[] }[];
  }[];
  /** The language of the text, '' if that is not known. */
  language: string;
  /** '' until an entity, a rule and a field are chosen. */
  text: string;
}

export const consumerHealthMachine = lookupChart<HealthRow>({ id: consumerHealth.id, question: {} });
export const messagingHealthMachine = lookupChart<HealthRow>({ id: messagingHealth.id, question: {} });

/** What was found for a country and language: those of the question, else those of the settings. */
export interface Definitions<Definition> {
  country: string;
  language: string;
  found: Definition[];
}

export const bankFilesMachine = lookupChart<Definitions<FileFormat>>({ id: bankFiles.id, question: {} });
export const providersMachine = lookupChart<Definitions<Provider>>({ id: providers.id, question: {} });
export const translationsMachine = lookupChart<Translation>({
  id: translations.id,
  question: { entityType: 'Provider', entityId: '', ruleId: '', field: 'uiLabel' },
});
