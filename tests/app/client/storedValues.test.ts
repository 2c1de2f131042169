import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createActor, type AnyStateMachine } from 'xstate';
import { draftOf, dropDrafts, storeDraft } from '#app/client/drafts.ts';
import { setStorage } from '#app/client/storage.ts';
import { withIdempotencyKey } from '#app/client/withIdempotencyKey.ts';
import { keepOutcome } from '#app/tools/lab/outcomes.ts';
import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { organisationMachine } from '#machines/onboarding/forms.machine.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { material } from '#tests/steps/paymentMaterial.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { settled, unanswered } from '#tests/support/deferredPorts.ts';
import { directProvider, fileFormat, provider, rules } from '#tests/support/fixtures.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** The session storage of a tab and the local storage of its browser. */
const stored = new Map<string, string>();
const storage = {
  getItem: (slot: string) => stored.get(slot) ?? null,
  setItem: (slot: string, value: string) => void stored.set(slot, value),
  removeItem: (slot: string) => void stored.delete(slot),
};

beforeEach(() => {
  stored.clear();
  setStorage({ shared: storage, tab: storage });
});
afterAll(() => setStorage(null));

/** Journeys with each kind of choice; their forms open once their data is loaded. */
const journeys: readonly (readonly [JourneyId, AnyStateMachine, Facts])[] = [
  ['organisation', provideEffects(organisationMachine, { submit: unanswered }), factsAfter('settings')],
  [
    'subscription',
    provideEffects(subscriptionMachine, {
      loadChoice: () => Promise.resolve({ providers: [provider, directProvider], banks: [] }),
      createSubscription: unanswered,
    }),
    factsAfter('dataset'),
  ],
  [
    'debtor',
    provideEffects(debtorMachine, {
      loadRules: () => Promise.resolve({ rules, pending: [] }),
      message: provideEffects(messageMachine, { send: unanswered, sendAgain: unanswered, askOutcome: unanswered }),
      approval: provideEffects(messageApproval, { watch: unanswered }),
    }),
    factsAfter('authorisation'),
  ],
  [
    'filePayment',
    provideEffects(filePaymentMachine, {
      loadMaterial: () => Promise.resolve(material),
      prepare: unanswered,
      pay: unanswered,
    }),
    everything,
  ],
  [
    'additionalData',
    provideEffects(additionalDataMachine, { loadProviders: () => Promise.resolve([provider]) }),
    everything,
  ],
];

const choices = {
  providerId: provider.providerId,
  apiPath: 'Creditors',
  fileFormatId: fileFormat.fileFormatId,
  debtorId: 'debtor-1',
  date: '2026-11-24',
  ticked: ['i1'],
};

const names = fc.constantFrom('choices', 'fields', 'type', '__proto__', 'constructor', 'name', 'purpose');
/** A valid choice, and one with any value in place of what was chosen. */
const choice = fc
  .constantFrom(...(Object.keys(choices) as (keyof typeof choices)[])) // its own keys
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.constant<unknown>(choices[name]), fc.jsonValue())));
/** Values in place of a draft: invalid JSON, any JSON, and an almost valid draft. */
const drafts = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom('{"choices":null}', '{"choices":[null]}', '{"fields":{"name":null}}', '[]', '0', '"x"', 'null'),
  fc.dictionary(names, fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc
    .record({
      choices: fc.oneof(
        fc.array(choice).map((each) => Object.fromEntries(each)),
        fc.jsonValue(),
      ),
      fields: fc.oneof(fc.dictionary(names, fc.jsonValue()), fc.jsonValue()),
    })
    .map((value) => JSON.stringify(value)),
);

/** Opens a journey with its stored values; returns its snapshot once its form is open. */
async function open(
  [id, machine, facts]: (typeof journeys)[number],
  guided: boolean,
): Promise<{ status: string; context: { values: object } }> {
  const actor = createActor(machine, { input: { facts, draft: draftOf(id, guided) } });
  storeDraft(id, actor);
  actor.start();
  await settled();
  const snapshot = actor.getSnapshot() as { status: string; context: { values: object } }; // of a journey with a form
  actor.stop();
  return snapshot;
}

describe('a value in browser storage', () => {
  it.each(journeys)(
    'of any content as the draft of %s leaves its form open and editable (behaviour 4.19)',
    async (...journey) => {
      const [id] = journey;
      await fc.assert(
        fc.asyncProperty(drafts, fc.boolean(), async (draft, guided) => {
          stored.set(`draft:${id}`, draft);
          stored.set('examples', 'true');
          const { status, context } = await open(journey, guided);
          expect(status).toBe('active');
          expect(Object.values(context.values).every((value) => typeof value === 'string')).toBe(true);
          dropDrafts();
        }),
        { numRuns: runsOf(100) },
      );
    },
  );

  it('restores a draft’s provider and typed values', async () => {
    const [, journey] = journeys;
    const draft = { choices: { providerId: provider.providerId }, fields: { serviceUserNumber: '6543' } };
    stored.set('draft:subscription', JSON.stringify(draft));
    const { context } = await open(journey!, false); // the second of the list
    expect(context).toMatchObject({ values: { serviceUserNumber: '6543' } });
  });

  it.each([
    ['rehearsed', () => keepOutcome('scenario', '')],
    ['once:round', () => void withIdempotencyKey('createCompany', {}, () => Promise.resolve())],
  ])('of any content in the slot %s is tolerated when the console writes there (behaviour 4.19)', (slot, keep) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .dictionary(fc.constantFrom('states', 'failures', 'company'), fc.jsonValue())
            .map((value) => JSON.stringify(value)),
        ),
        (value) => {
          stored.set(slot, value);
          expect(keep).not.toThrow();
        },
      ),
      { numRuns: runsOf(100) },
    );
  });

  it('is replaced by a new id where the id of a write is not a UUID', async () => {
    const keys: string[] = [];
    const lost = () =>
      withIdempotencyKey('createCompany', {}, (key, id) => {
        keys.push(key, id);
        return Promise.reject(new Error('lost'));
      }).catch(() => undefined);
    await lost();
    const slot = [...stored.keys()].find((name) => name.startsWith('once:createCompany:'))!; // has just been stored
    setStorage({ shared: { ...storage }, tab: storage }); // another page, with the same storage
    stored.set(slot, '{"choices":null}');
    await lost();
    expect(keys).toHaveLength(4);
    for (const each of keys) expect(each).toMatch(/^[0-9a-f-]{36}$/);
  });
});
