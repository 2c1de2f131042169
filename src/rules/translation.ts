/** Texts of a rule that can be looked up (behaviour, section 2: Translations). */
export const translatedFields = ['uiLabel', 'description', 'errorMessage', 'example'] as const;

/** The text to look up; '' for a part that is not chosen yet. */
export interface TranslationQuestion {
  entityType: string;
  entityId: string;
  ruleId: string;
  field: string;
}

/** Returns {entityId}{entityType}.{ruleId}.{field} (behaviour, section 7); '' until all are chosen. */
export const translationKey = ({ entityType, entityId, ruleId, field }: TranslationQuestion): string =>
  entityType && entityId && ruleId && field ? `${entityId}${entityType}.${ruleId}.${field}` : '';
