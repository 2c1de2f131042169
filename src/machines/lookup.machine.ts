import type { FileFormat, Health, Provider } from '#contract/entities.ts';
import { lookupChart } from './lookup.chart.ts';
import { bankFiles, consumerHealth, messagingHealth, providers, translations } from './lookup.journey.ts';

/** A row of the health table; Status is what the call said (spec, section 2). */
export type HealthRow = Health & { status: string };

/** Rules whose texts can be looked up, and the text that was (spec, section 2: Translations). */
export interface Translation {
  entities: { id: string; type: 'FileFormat' | 'Provider'; name: string; rules: { id: string; label: string }[] }[];
  /** '' until an entity, a rule and a field are chosen. */
  text: string;
}

export const consumerHealthMachine = lookupChart<HealthRow>({ id: consumerHealth.id, question: {} });
export const messagingHealthMachine = lookupChart<HealthRow>({ id: messagingHealth.id, question: {} });

export const bankFilesMachine = lookupChart<FileFormat[]>({
  id: bankFiles.id,
  question: { country: 'GB', language: 'en' },
});
export const providersMachine = lookupChart<Provider[]>({
  id: providers.id,
  question: { country: 'GB', language: 'en' },
});
export const translationsMachine = lookupChart<Translation>({
  id: translations.id,
  question: { entityType: 'Provider', entityId: '', ruleId: '', field: 'uiLabel' },
});
