import { z } from 'zod';

/**
 * Settings (behaviour, section 3). Every value is a string, as in the specification's key/value update;
 * `subscriptions`, `postedBatches` and `webhookData` are JSON-encoded lists that are assembled from records when the
 * settings are read. They contain only the latest records, so that the cost of reading is bounded.
 */
export const settingsSchema = z
  .object({
    subscriptionId: z.string(),
    providerId: z.string(),
    providerCountry: z.string(),
    fileFormatCountry: z.string(),
    acceptLanguage: z.string(),
    /** 'true'; any other text means false (behaviour, section 9). */
    useMock: z.string(),
    useNetwork: z.string(),
    organisationId: z.string(),
    companyId: z.string(),
    /** Secret: the browser receives `secretIsSet` or ''. */
    companySigningKey: z.string(),
    accountId: z.string(),
    dataSetId: z.string(),
    /** Secret: the browser receives `secretIsSet` or ''. */
    userJwt: z.string(),
    batchId: z.string(),
    webhookData: z.string(),
    postedBatches: z.string(),
    providerUrl: z.string(),
    subscriptions: z.string(),
  })
  .meta({ id: 'Settings' });

export type Settings = z.infer<typeof settingsSchema>;
export type SettingKey = keyof Settings;
