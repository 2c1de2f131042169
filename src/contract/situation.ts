import { z } from 'zod';
import { settingsSchema } from './settings.ts';
import { data, jsonSchema, text } from './shape.ts';

/** The version of the files that this console writes and opens. */
export const situationVersion = 1;

/** What the sandbox has stored, by table, and its time. Its signing keys are placeholders. */
export const sandboxMomentSchema = z.strictObject({
  tables: z.record(text, z.array(z.record(text, jsonSchema))),
  /** The number of ids that a sandbox with a seed has issued. */
  ids: z.int().min(0),
  clock: z.strictObject({ now: z.iso.datetime(), still: z.boolean() }),
});
export type SandboxMoment = z.infer<typeof sandboxMomentSchema>;

const kept = {
  providerCountry: true,
  fileFormatCountry: true,
  acceptLanguage: true,
  useMock: true,
  useNetwork: true,
  subscriptions: true,
  postedBatches: true,
  subscriptionId: true,
  batchId: true,
} as const;

/** The settings of the company that a file keeps, in the order in which they are set again. */
export const keptSettings = Object.keys(kept) as (keyof typeof kept)[]; // its own keys

/** A situation in one file: the sandbox with its clock and faults, the company, the timeline, the present step. */
const situationSchema = z.strictObject({
  kind: z.literal('payments-out-situation', 'payments-out-situation: give a file that this console has saved'),
  version: z.literal(situationVersion, `${situationVersion}: this console opens no other version of the file`),
  /** The version of the console. */
  console: text,
  savedAt: z.iso.datetime(),
  /** The path of the page. */
  step: text.regex(/^\/(?!\/)[\w/?=&.-]*$/, 'a path of the page, such as /debtors'),
  /** The address of the sandbox, which stands in its links. */
  address: z.url({ protocol: /^https?$/, error: 'an http or https address' }).max(1000),
  sandbox: sandboxMomentSchema,
  company: z.strictObject({
    organisationId: text,
    companyId: text,
    signingKey: text,
    settings: settingsSchema.pick(kept),
  }),
  /** The lengths of the keys whose placeholders are in the file; new ones are made when it is opened. */
  keys: z.array(z.int().min(1).max(1000)).max(1000),
  /** An HTTP archive without secrets. */
  timeline: z.looseObject({ log: z.looseObject({}) }),
});
export type SituationFile = z.infer<typeof situationSchema>;

export const situationShapes = {
  saveSituation: { query: z.object({ step: text.optional() }), answer: situationSchema },
  openSituation: {
    body: situationSchema,
    /** `notes`: what of the company could not be set again, one sentence each. */
    answer: data(z.object({ step: text, notes: z.array(text) })),
  },
};
