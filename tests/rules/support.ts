import type { Rule, Validation } from '#contract/lookup.ts';

/** A provider's rule, with as little as a test needs to say. */
export const rule = (apiPath: string, jsonPath: string, more: Partial<Validation> = {}): Rule => ({
  ruleId: `${apiPath}-${jsonPath}`,
  validation: { apiPath, jsonPath, optionality: 'Required', ...more },
});
