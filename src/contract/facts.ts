import { z } from 'zod';
import { problemSchema } from './problem.ts';
import { settingsSchema } from './settings.ts';

const subscriptionSchema = z.object({
  subscriptionId: z.string(),
  status: z.string(),
  suspendedByConsumer: z.boolean(),
});

const providerSchema = z.object({ providerId: z.string(), name: z.string(), capabilities: z.array(z.string()) });

/** Another subscription kept here, with what it would bring along as the current one. */
const alternativeSchema = z.object({
  subscription: subscriptionSchema,
  /** As it is kept here, also where the provider itself could not be read. */
  providerId: z.string(),
  provider: providerSchema.nullable(),
  /** The provider's first country, '' if it is unknown. */
  country: z.string(),
  debtors: z.number().int(),
  creditors: z.number().int(),
});

/** What a step makes; a token or a message is one too. */
export const madeKinds = [
  'organisation',
  'company',
  'accessToken',
  'account',
  'dataset',
  'subscription',
  'debtor',
  'creditor',
  'batch',
] as const;
export type MadeKind = (typeof madeKinds)[number];

/** How something came to be: the write at the service that made it, or that asked its provider for it. */
const madeSchema = z
  .object({
    /** Its own, at the service; of a token its company's. */
    id: z.string(),
    /** '' if it has none. */
    name: z.string(),
    /** When the write began, an ISO time, and the ms until its answer had arrived. */
    at: z.string(),
    ms: z.number(),
    method: z.string(),
    url: z.string(),
    status: z.number().int(),
    /** What passed for it, and what answered it, has this id in the timeline. */
    interactionId: z.string(),
  })
  .meta({ id: 'Made' });

export type Made = z.infer<typeof madeSchema>;

/** A record that could not be read; `at` is an ISO time. */
export const setAsideSchema = z.object({ kind: z.string(), id: z.string(), at: z.string() });

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
    /** Languages in which the provider country has providers; read only where there are none in the chosen one. */
    providerLanguages: z.array(z.string()),
    /** The provider of the bank screen is among them. */
    bankProvider: z.boolean(),
    /** Where the service offers it, if not among them. */
    bankProviderAt: z.object({ countries: z.array(z.string()), languages: z.array(z.string()) }).nullable(),
    /** The current subscription's provider, by its id: whichever country and language are chosen. */
    provider: providerSchema.nullable(),
    /** The current subscription as the service last reported it. */
    subscription: subscriptionSchema.nullable(),
    /** The other subscriptions kept here, as last reported. */
    alternatives: z.array(alternativeSchema),
    /** Debtors and creditors kept for the current subscription. */
    debtors: z.number().int(),
    creditors: z.number().int(),
    /** Bank file templates found for the file format country and language. */
    fileFormats: z.number().int(),
    /** Languages in which that country has templates; read only where there are none in the chosen one. */
    fileFormatLanguages: z.array(z.string()),
    /** Posted batches, and the latest one's status as last seen ('' if none). */
    batches: z.number().int(),
    batchStatus: z.string(),
    /** How the latest of each kind came to be, of what is current; absent where that is not known. */
    made: z.partialRecord(z.enum(madeKinds), madeSchema),
    /** The external transfer request page (behaviour, section 2: eTransfer Funding). */
    transferUrl: z.string(),
    environment: z.enum(['sandbox', 'live']),
    /** Where the service's hosts are, and what the console is called there: for requests that are shown or copied. */
    service: z.object({
      consumer: z.string(),
      messaging: z.string(),
      network: z.string(),
      auth: z.string(),
      userInfo: z.string(),
      applicationId: z.string(),
    }),
    /** Records of the workspace that could not be read and were set aside: how many, and the latest of them. */
    setAside: z.object({ total: z.number().int(), latest: z.array(setAsideSchema) }),
    /** What could not be read at the service: the subscription is then as last seen, the others are empty. */
    unread: z.array(z.enum(['subscription', 'provider', 'providers', 'fileFormats'])),
    /** Why the first of them could not be read. */
    unreadBecause: problemSchema.nullable(),
  })
  .meta({ id: 'Facts' });

export type Facts = z.infer<typeof factsSchema>;
export type Unread = Facts['unread'][number];
export type Alternative = Facts['alternatives'][number];
