import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { partyForm, paymentForm } from '#rules/field.ts';
import { nested } from '#rules/payload.ts';
import { eventually } from '#tests/support/eventually.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { apiAt } from '#tests/support/api.ts';
import { openBetween, type Between } from '#tests/support/proxiedConsole.ts';
import { batchBody, examples, onboard, subscribe, subscriptionBody } from '#tests/support/guidedPath.ts';
import { randomFrom, seedOf } from '#tests/support/random.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** Kills over all kinds; `npm run kill` makes 100. */
const runs = runsOf(4);
const seed = seedOf(process.env);
const random = randomFrom(seed);

type Api = ReturnType<typeof apiAt>;

type Send = (key: string) => Promise<unknown>;

/** One write: sends the same request under a key, repeatedly. */
interface Write {
  kind: 'subscription' | 'debtor' | 'batch' | 'organisation';
  prepare: () => Send | Promise<Send>;
  /** Ids of all records of the console. */
  kept: () => Promise<string[]>;
}

let between: Between;
let api: Api;
let material: Awaited<ReturnType<typeof subscribe>>;
/** Number of writes whose responses a kill has lost. */
let interrupted = 0;

beforeAll(async () => {
  console.log(`SEED=${seed} RUNS=${runs}`);
  between = await openBetween();
  api = apiAt(between.program.url);
  await onboard(api);
  material = await subscribe(api, 'Larkfield Bacs Bureau');
}, 180_000);
afterAll(() => between.close());

const parsed = (list: string): unknown[] => JSON.parse(list) as unknown[];

// A new organisation hides all earlier records, so it comes last. A new subscription would have no debtors.
const writes: readonly Write[] = [
  {
    kind: 'debtor',
    prepare() {
      const { rules, subscriptionId } = material;
      const form = partyForm(rules, 'DebtorAccounts');
      const debtorId = randomUUID();
      const data = { ...nested(form, examples(form)), subscriptionId, debtorId };
      return async (key) => {
        await api.done('putDebtor', { body: { data }, key });
        return debtorId;
      };
    },
    kept: async () => (await api.done('getDebtors')).data.map(({ debtorId }) => debtorId),
  },
  {
    kind: 'batch',
    async prepare() {
      const { rules, subscriptionId } = material;
      const [format] = random() < 0.5 ? (await api.done('getFileFormats')).data : [];
      const form = paymentForm(rules, format?.specification.rules);
      const body = await batchBody(api, subscriptionId, form, format?.fileFormatId);
      return async (key) => (await api.done('createBatch', { body, key })).data.batchId;
    },
    kept: async () =>
      parsed((await api.done('getPostedBatches')).data).map((record) => (record as BatchRecord).batchId),
  },
  {
    kind: 'subscription',
    prepare() {
      const body = subscriptionBody(material.provider, material.rules);
      return async (key) => (await api.done('createSubscription', { body, key })).data.subscriptionId;
    },
    kept: async () =>
      parsed((await api.done('getSettings', { query: { lists: 'whole' } })).subscriptions).map(
        (record) => (record as SubscriptionRecord).subscriptionId,
      ),
  },
  {
    kind: 'organisation',
    prepare() {
      return async (key) => (await api.done('createOrganisation', { body: organisationBody, key })).organisationId;
    },
    kept: async () => [(await api.done('getSettings')).organisationId],
  },
];

/** Counts ids by their last part: a debtor's begins with its subscription. */
const made = (kind: Write['kind']) => between.made(kind).map((id) => id.split('/').at(-1)!);

/**
 * When a run of this kind is killed, as a multiple of how long its write takes: from 0 to 1.2, drawn within a part of
 * its own, so that even with one run of each kind some are killed early. `begun`: the share of its runs before it.
 */
function momentOf(kind: Write['kind'], begun: number): number {
  const part = (writes.findIndex((write) => write.kind === kind) + seed) % writes.length;
  return 1.2 * (begun + (part + random()) / runs);
}

describe.each(writes)('A console killed while it creates a $kind', ({ kind, prepare, kept }) => {
  /** The shortest duration of such a write, in ms. */
  let usual = Infinity;
  const share = runs / writes.length;

  beforeAll(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const send = await prepare();
      const started = performance.now();
      await send(randomUUID());
      usual = Math.min(usual, performance.now() - started);
    }
    if (kind === 'debtor') await eventually(async () => expect(await kept()).toHaveLength(made(kind).length));
  });

  for (let run = 0; run < share; run += 1)
    it(`has created it once after a restart and a repeat: moment ${run + 1}`, async () => {
      const before = { there: made(kind), here: await kept() };
      const send = await prepare();
      const key = randomUUID();
      const sending = send(key).then(
        () => 'answered',
        () => 'interrupted',
      );
      await wait(momentOf(kind, run / share) * usual);
      await between.program.stop('SIGKILL');
      if ((await sending) === 'interrupted') interrupted += 1;
      await between.program.start();

      const answer = await send(key);
      expect(await send(key)).toBe(answer);
      await eventually(async () => {
        expect(made(kind).filter((id) => !before.there.includes(id))).toEqual([answer]);
        const here = await kept();
        expect(here.filter((id) => id === answer)).toHaveLength(1);
        expect(here).toEqual(kind === 'organisation' ? [answer] : [...before.here, answer]);
      });
    });
});

// All kills of one kind may come after the response, but not those of all kinds.
it('At least one of the kills interrupted a write before its response (threat 3.15, 7.2)', () => {
  expect(interrupted).toBeGreaterThan(0);
});
