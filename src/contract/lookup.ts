import { z } from 'zod';
import { data, filled, identified, rawQuery, rawSchema, read, skippedSchema, text } from './shape.ts';

export const validationSchema = z.looseObject({
  apiPath: text.optional(),
  jsonPath: text,
  /** 'Required' or 'Hidden'; any other value means optional (wire, section 8). */
  optionality: text.optional(),
  /** 'Boolean', 'Array' or another type. */
  fieldType: text.optional(),
  uiLabel: text.optional(),
  description: text.optional(),
  example: text.optional(),
  regex: text.optional(),
  errorMessage: text.optional(),
  enumeration: z.array(identified('value', z.looseObject({ value: text, description: text.default('') }))).optional(),
});

/** A provider's rule has `validation`, a file format's rule `sourceValidation` (behaviour, section 3). */
export const ruleSchema = identified(
  'ruleId',
  z
    .looseObject({
      ruleId: text,
      type: text.optional(),
      validation: validationSchema.optional(),
      sourceValidation: validationSchema.optional(),
      destination: z.looseObject({ destination: text.optional() }).optional(),
    })
    .meta({ id: 'Rule' }),
);

const rules = z.array(ruleSchema).default([]);

export const providerSchema = identified(
  'providerId',
  z
    .looseObject({
      providerId: text,
      name: text,
      country: z.array(text).default([]),
      accountType: z
        .looseObject({ capabilities: z.array(text).optional(), validationRules: rules })
        .default({ validationRules: [] }),
      defaultLanguage: text.optional(),
      supportedLanguages: z.array(text).optional(),
      maximumPaymentCount: z.number().int().optional(),
      localInstruments: z.array(text).optional(),
      defaultLocalInstrument: text.optional(),
    })
    .meta({ id: 'Provider' }),
);

export const localInstrumentSchema = identified(
  'localInstrumentId',
  z.looseObject({ localInstrumentId: text, name: text.default(''), validationRules: rules }),
);

export const fileFormatSchema = identified(
  'fileFormatId',
  z
    .looseObject({
      fileFormatId: text,
      name: text,
      specification: z.looseObject({ rules }).default({ rules: [] }),
      defaultLanguage: text.optional(),
      supportedLanguages: z.array(text).optional(),
    })
    .meta({ id: 'FileFormat' }),
);

const bankSchema = identified(
  'bank_id',
  z
    .looseObject({
      bank_id: text,
      name: text.optional(),
      /** '' if the service sends none; the console's own API then returns the name or the id. */
      friendly_name: text.default(''),
      is_sandbox: z.boolean().optional(),
      logo: text.optional(),
      icon: text.optional(),
      standard: text.optional(),
      country_iso_code: text.optional(),
      division: text.optional(),
      group: text.optional(),
      order: z.number().optional(),
      /** A bank is in service unless the answer states otherwise. */
      service_status: z.boolean().default(true),
      refund_supported: z.boolean().optional(),
      abilities: z.record(text, z.boolean()).default({}),
    })
    .meta({ id: 'Bank' }),
);

export const bankListSchema = z
  .looseObject({
    data: z.array(bankSchema),
    meta: z
      .looseObject({
        total_count: z.number().optional(),
        total_pages: z.number().optional(),
        current_page: z.number().optional(),
      })
      .optional(),
    skipped: skippedSchema,
  })
  .meta({ id: 'BankList' });

/** The health of an API of the service as it states it; a missing `version`, `branch` or `name` is ''. */
const healthSchema = z
  .looseObject({
    /** The service's own word; without one 'Up', or the HTTP status of a failure. */
    status: text,
    /** A failure with 5xx may state the health as well. */
    httpStatus: z.number().int(),
    version: text,
    branch: text,
    name: text,
  })
  .meta({ id: 'Health' });

export type Validation = z.infer<typeof validationSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type Provider = z.infer<typeof providerSchema>;
export type LocalInstrument = z.infer<typeof localInstrumentSchema>;
export type FileFormat = z.infer<typeof fileFormatSchema>;
export type Bank = z.infer<typeof bankSchema>;
export type BankList = z.infer<typeof bankListSchema>;
export type Health = z.infer<typeof healthSchema>;

/** Country and language default to the settings; the Rules pages select their own (behaviour, section 2). */
const localeQuery = z.object({
  country: text.regex(/^([A-Z]{2})?$/, 'a 2-letter country code such as GB, or nothing').optional(),
  language: text.regex(/^([A-Za-z]{2}(-[A-Za-z]{2})?)?$/, 'a language such as en-GB, or nothing').optional(),
});

export const lookupShapes = {
  getProviders: {
    query: localeQuery.extend(rawQuery),
    answer: read(z.array(providerSchema)).extend({ raw: rawSchema }),
  },
  getProvider: { params: z.object({ providerId: filled }), answer: read(providerSchema) },
  getLocalInstruments: {
    answer: read(z.array(localInstrumentSchema)),
  },
  getBanks: { answer: bankListSchema },
  getFileFormats: {
    query: localeQuery.extend(rawQuery),
    answer: read(z.array(fileFormatSchema)).extend({ raw: rawSchema }),
  },
  getTranslation: {
    params: z.object({ key: filled }),
    answer: data(z.object({ data: z.object({ translation: text }) })),
  },
  getConsumerHealth: { answer: data(healthSchema) },
  getMessagingHealth: { answer: data(healthSchema) },
};
