import { z } from 'zod';
import { settingsSchema } from './settings.ts';

/**
 * Where the user stands, as the server knows it: the raw facts from which requirements are decided
 * (the deciding itself is in src/machines/requirements.ts). Secrets are masked.
 */
export const factsSchema = z
  .object({
    settings: settingsSchema,
    /** The company that all of this is about; see scopeHeader. */
    scope: z.string(),
    /** All companies of the workspace, and its organisations that have none yet (companyId ''), in order of arrival. */
    companies: z.array(
      z.object({ scope: z.string(), organisationId: z.string(), companyId: z.string(), companyName: z.string() }),
    ),
    /** What is kept here of the current company and the service no longer knows; '' if it knows all or was not asked. */
    lost: z.enum(['', 'organisation', 'company', 'subscription']),
    /** A company access token was obtained. */
    accessToken: z.boolean(),
    /** A user token is stored and has not expired. */
    userToken: z.boolean(),
    /** Providers found for the provider country and language. */
    providers: z.number().int(),
    /** The provider of the bank screen is among them. */
    bankProvider: z.boolean(),
    /** The current subscription's provider, if it is among those found. */
    provider: z.object({ providerId: z.string(), name: z.string(), capabilities: z.array(z.string()) }).nullable(),
    /** The current subscription as the service last reported it. */
    subscription: z
      .object({ subscriptionId: z.string(), status: z.string(), suspendedByConsumer: z.boolean() })
      .nullable(),
    /** Debtors and creditors kept for the current subscription. */
    debtors: z.number().int(),
    creditors: z.number().int(),
    /** Bank file templates found for the file format country and language. */
    fileFormats: z.number().int(),
    /** Posted batches, and the latest one's status as last seen ('' if none). */
    batches: z.number().int(),
    batchStatus: z.string(),
    /** The external transfer request page (spec, section 2: eTransfer Funding). */
    transferUrl: z.string(),
    environment: z.enum(['sandbox', 'live']),
  })
  .meta({ id: 'Facts' });

export type Facts = z.infer<typeof factsSchema>;
