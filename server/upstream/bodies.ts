import { z } from 'zod';
import { isObject, type JsonObject } from '#contract/json.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import { atMost, filled, text } from '#contract/shape.ts';
import { disallowedPathIn } from '#server/escapeId.ts';
import { jsonLimits, JsonError, readJson } from '#server/http/json.ts';
import { chosen } from './documented.ts';

const email = z.email({ pattern: z.regexes.unicodeEmail, error: 'an e-mail address such as admin@example.com' });
const data = <T extends z.ZodType>(schema: T) => z.looseObject({ data: schema });

/** The schema of a text that contains a JSON object (wire, sections 5.1 and 5.3), within the limits of a body. */
const jsonText = z.string().transform((text, context): JsonObject => {
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

const textOfJson = jsonText.optional().meta({ description: 'A text that contains JSON', ...chosen('5.3.4') });
const batchMembers = batchRequestSchema.shape;

/**
 * The bodies of the service's calls (wire, sections 2.3 and 5), described independently of the console's own forms, so
 * that differences between the two are detected. Those of messages are the console's own (contract, shapes).
 */
export const bodies = {
  organisation: z.object({
    sageCRMId: filled,
    primaryCountry: text.regex(/^[A-Z]{3}$/, 'a 3-letter country code such as GBR'),
    adminEmail: email,
    defaultLanguage: text.regex(/^[A-Za-z]{2}$/, 'a 2-letter language code such as EN'),
    name: text.nullish(),
    externalId: filled.meta(chosen('2.3.5')),
  }),
  company: z.object({
    externalId: atMost(36, undefined, filled),
    name: atMost(100).nullish(),
    taxNumber: atMost(50).nullish(),
    standardIndustrialCode: atMost(50).nullish(),
    contactTelNo: atMost(50).nullish(),
    contactEmail: atMost(255, undefined, email).nullish(),
  }),
  account: data(
    z.object({
      type: z.literal('Account'),
      attributes: z.object({ externalId: filled, externalSource: filled }),
      owner: z.object({ user: z.object({ email: filled, locale: filled, identityId: filled }) }),
    }),
  ),
  /** choice: the country is a two-letter code, as everywhere but in an organisation (wire, section 15). */
  dataset: data(
    z.object({
      type: z.literal('DataSet'),
      attributes: z.object({
        name: filled,
        country: text.regex(/^[A-Z]{2}$/, 'a 2-letter country code such as GB'),
        externalId: filled,
        externalSource: filled,
      }),
    }),
  ),
  subscription: data(z.object({ providerId: text.min(1), additionalData: jsonText })),
  batch: z.object({
    data: batchRequestSchema.extend({
      subscriptionId: batchMembers.subscriptionId.meta(chosen('5.3.2')),
      requestedExecutionDateTime: batchMembers.requestedExecutionDateTime.meta(chosen('5.3.7')),
      additionalData: textOfJson,
      payments: z.array(batchMembers.payments.element.extend({ additionalData: textOfJson })).min(1),
    }),
  }),
} as const;
