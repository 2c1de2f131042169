import { z } from 'zod';
import { batchShapes } from './batch.ts';
import type { CallName } from './calls.ts';
import { descriptionShapes } from './description.ts';
import { factsSchema, setAsideSchema } from './facts.ts';
import { labShapes } from './lab.ts';
import { lookupShapes } from './lookup.ts';
import { messageShapes } from './message.ts';
import { onboardingShapes } from './onboarding.ts';
import { partyShapes } from './party.ts';
import { paymentShapes } from './payment.ts';
import { programShapes } from './programShapes.ts';
import { settingsSchema } from './settings.ts';
import { data, filled, text } from './shape.ts';
import { situationShapes } from './situation.ts';
import { subscriptionShapes } from './subscription.ts';
import { timelineShapes } from './timeline.ts';

/** Params, query, body and answer of every call in calls.ts (behaviour, section 7), enforced by the route guard. */
export const shapes = {
  /** The lists contain the latest records (constants, listedInSettings); with `lists=whole`, all. */
  getSettings: { query: z.object({ lists: z.enum(['whole']).optional() }), answer: settingsSchema },
  /** `note`: why the value is stored although the service does not know it, or was not asked. */
  setSetting: {
    body: z.object({ key: settingsSchema.keyof(), value: text }),
    answer: settingsSchema.extend({ note: text.optional() }).meta({ id: 'WrittenSettings' }),
  },
  changeSettings: {
    body: settingsSchema
      .pick({
        subscriptionId: true,
        providerId: true,
        providerCountry: true,
        fileFormatCountry: true,
        acceptLanguage: true,
      })
      .extend({ useMock: text, useNetwork: text })
      .partial()
      .strict(),
    answer: settingsSchema,
  },
  getFacts: { answer: factsSchema },
  getSetAside: { answer: data(z.array(setAsideSchema)) },
  /** The URL to which the browser navigates next. */
  signOut: { answer: z.object({ location: text }) },
  /**
   * Whether a page can be shown in a frame of the console. `refusal`: what speaks against it, '' if nothing is known;
   * `certain`: a browser will refuse it.
   */
  getFraming: {
    query: z.object({ link: filled }),
    answer: data(z.object({ refusal: text, certain: z.boolean() })),
  },
  ...lookupShapes,
  ...onboardingShapes,
  ...subscriptionShapes,
  ...partyShapes,
  ...messageShapes,
  ...paymentShapes,
  ...batchShapes,
  ...timelineShapes,
  ...descriptionShapes,
  ...situationShapes,
  ...labShapes,
  ...programShapes,
} satisfies Record<CallName, { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }>;

type Shapes = typeof shapes;
type Part<C extends CallName, P extends string> =
  Shapes[C] extends Record<P, infer S extends z.ZodType> ? z.input<S> : undefined;

export type Params<C extends CallName> = Part<C, 'params'>;
export type Query<C extends CallName> = Part<C, 'query'>;
export type Body<C extends CallName> = Part<C, 'body'>;
/** A body as parsed, with its defaults and in its one form. */
export type ParsedBody<C extends CallName> =
  Shapes[C] extends Record<'body', infer S extends z.ZodType> ? z.output<S> : undefined;
export type Answer<C extends CallName> = z.output<Shapes[C]['answer']>;
