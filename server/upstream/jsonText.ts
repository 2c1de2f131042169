import { z } from 'zod';
import { isObject, type JsonObject } from '#contract/json.ts';
import { disallowedPathIn } from '#server/escapeId.ts';
import { jsonLimits, JsonError, readJson } from '#server/http/json.ts';

/** The schema of a text that contains a JSON object (wire, sections 5.1 and 5.3), within the limits of a body. */
export const jsonText = z.string().transform((text, context): JsonObject => {
  try {
    const value = readJson(text, jsonLimits.body);
    if (isObject(value) && disallowedPathIn(value) === undefined) return value;
    context.addIssue('a string that contains a JSON object');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    context.addIssue(
      error.isNoJson ? 'a string that contains JSON' : `a string that contains JSON; it ${error.message}`,
    );
  }
  return z.NEVER;
});
