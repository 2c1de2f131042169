import { z } from 'zod';
import { pendingPaymentSchema } from './payment.ts';
import { problemSchema } from './problem.ts';
import { settingsSchema } from './settings.ts';

const subscriptionSchema = z.object({
  subscriptionId: z.string(),
  status: z.string(),
  suspendedByConsumer: z.boolean(),
});

const providerSchema = z.object({ providerId: z.string(), name: z.string(), capabilities: z.array(z.string()) });

/** Another stored subscription, with the facts that would apply if it were selected. */
const alternativeSchema = z.object({
  subscription: subscriptionSchema,
  /** From the stored record, so known even if the provider could not be read. */
  providerId: z.string(),
  provider: providerSchema.nullable(),
  /** The provider's first country, '' if it is unknown. */
  country: z.string(),
  debtors: z.number().int(),
  creditors: z.number().int(),
});

/** Kinds of resources that steps create, access tokens included. */
const madeKinds = [
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

/** The write that created a resource, or requested it from a provider. */
const madeSchema = z
  .object({
    /** The resource's id at the service; for an access token, the company's id. */
    id: z.string(),
    /** The resource's name; '' if it has none. */
    name: z.string(),
    /** When the write began (an ISO time), and the time (ms) until its answer had arrived. */
    at: z.string(),
    ms: z.number(),
    method: z.string(),
    url: z.string(),
    status: z.number().int(),
    /** The interaction id of the write and its answers in the timeline. */
    interactionId: z.string(),
  })
  .meta({ id: 'Made' });

export type Made = z.infer<typeof madeSchema>;

/** A record that could not be read; `at` is an ISO time. */
export const setAsideSchema = z.object({ kind: z.string(), id: z.string(), at: z.string() });

/**
 * The facts from which requirements are decided (see src/machines/requirements.ts): the user's settings, stored
 * records, and the state of resources at the service. Secrets are masked.
 */
export const factsSchema = z
  .object({
    settings: settingsSchema,
    /** The key of the company that the facts are about; see companyHeader. */
    companyKey: z.string(),
    /** All companies of the workspace, and its organisations without a company (companyId ''), in order of creation. */
    companies: z.array(
      z.object({
        companyKey: z.string(),
        organisationId: z.string(),
        companyId: z.string(),
        companyName: z.string(),
        /** Whether the organisation's signing key has replaced another one, which can be put back. */
        hasPreviousKey: z.boolean(),
      }),
    ),
    /**
     * The current resource that is stored here but unknown to the service, or the organisation's signing key if the
     * service does not accept it; '' if all are known or the check failed.
     */
    lost: z.enum(['', 'organisation', 'signingKey', 'company', 'subscription']),
    /** Whether a company access token has been obtained. */
    accessToken: z.boolean(),
    /** Whether a user token is stored and has not expired. */
    userToken: z.boolean(),
    /** The name or the email address of that user, as the token says; '' if it says neither. */
    user: z.string(),
    /**
     * Whose that token is, by its `sub`, when it was issued and expires (ISO times; each '' if it does not say), and its scopes;
     * null without one.
     */
    login: z
      .object({ subject: z.string(), issuedAt: z.string(), expiresAt: z.string(), scopes: z.array(z.string()) })
      .nullable(),
    /** Number of providers found for the provider country and language. */
    providers: z.number().int(),
    /** Languages in which the provider country has providers; read only if it has none in the selected language. */
    providerLanguages: z.array(z.string()),
    /** Whether the provider of the bank screen is among them. */
    bankProvider: z.boolean(),
    /** Countries and languages for which the service offers that provider, if it is not among them. */
    bankProviderAt: z.object({ countries: z.array(z.string()), languages: z.array(z.string()) }).nullable(),
    /**
     * The current subscription's provider, read by its id, so that it does not depend on the selected country and
     * language.
     */
    provider: providerSchema.nullable(),
    /** The current subscription as the service last reported it. */
    subscription: subscriptionSchema.nullable(),
    /** The other stored subscriptions, as last reported. */
    alternatives: z.array(alternativeSchema),
    /** Numbers of debtors and creditors stored for the current subscription, up to `mostCounted`. */
    debtors: z.number().int(),
    creditors: z.number().int(),
    /** Number of bank file templates found for the file format country and language. */
    fileFormats: z.number().int(),
    /** Languages in which that country has templates; read only if it has none in the selected language. */
    fileFormatLanguages: z.array(z.string()),
    /** Number of posted batches, up to `mostCounted`, and the last known status of the latest one ('' if none). */
    batches: z.number().int(),
    batchStatus: z.string(),
    /** Payments whose outcome is unknown, and those of them that were settled recently, the latest first. */
    pendingPayments: z.array(pendingPaymentSchema),
    /** The writes that created the current resources, by kind; absent where unknown. */
    made: z.partialRecord(z.enum(madeKinds), madeSchema),
    /** The URL of the external transfer request page (behaviour, section 2: eTransfer Funding). */
    transferUrl: z.string(),
    environment: z.enum(['sandbox', 'live']),
    /** Addresses of the service's hosts and the console's application id, for requests that are shown or copied. */
    service: z.object({
      consumer: z.string(),
      messaging: z.string(),
      network: z.string(),
      auth: z.string(),
      userInfo: z.string(),
      applicationId: z.string(),
    }),
    /**
     * The user's sandbox, absent with a live service: `url` is its address for browsers and programs; `isApart`: it is
     * a separate process, which does not notify the console of other programs' calls or of changes in its fault lab.
     */
    sandbox: z.object({ url: z.string(), isApart: z.boolean() }).optional(),
    /** Number of the workspace's records that were set aside because they could not be read, and the latest of them. */
    setAside: z.object({ total: z.number().int(), latest: z.array(setAsideSchema) }),
    /**
     * Facts that could not be read from the service. An unread subscription has its last known state; the others are
     * empty.
     */
    unread: z.array(z.enum(['subscription', 'provider', 'providers', 'fileFormats'])),
    /** The problem with the first of them. */
    unreadBecause: problemSchema.nullable(),
  })
  .meta({ id: 'Facts' });

export type Facts = z.infer<typeof factsSchema>;
export type Unread = Facts['unread'][number];
export type Alternative = Facts['alternatives'][number];
