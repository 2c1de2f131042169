import { randomUUID } from 'node:crypto';
import Database from 'libsql';
import { expect, vi } from 'vitest';
import type { KeptRule } from '#contract/controlShapes.ts';
import type { Provider, Rule } from '#contract/lookup.ts';
import { updateForm } from '#machines/subscription/update.ts';
import { partyForm, paymentForm } from '#rules/field.ts';
import type { JsonObject } from '#contract/json.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { apiAt } from '#tests/support/api.ts';
import { openBetween, type Between } from '#tests/support/proxiedConsole.ts';
import type { Stage } from '#tests/support/facts.ts';
import { onboard, pay, subscribe, subscribeTo } from '#tests/support/guidedPath.ts';
import { entries } from '#tests/browser/guidedSteps.ts';
import { abroad } from './service.ts';

/** Rows of the guided path, by the record that exists once they are done. */
type Kept = Exclude<Stage, 'electronicPayment'> | 'nothing';

/**
 * The console with its sandbox, and the means to bring both into any situation: by the sandbox's fault lab where that is
 * possible. Stages of the guided path are restored by SQL, because the lab cannot change the console's records and walks
 * journeys, which takes seconds. Calls between page and console are held by a proxy (walk.ts).
 */
export interface World extends Between {
  api: ReturnType<typeof apiAt>;
  /** Restores console and sandbox to that point of the guided path. */
  at: (stage: Kept) => Promise<void>;
  /** Makes the sandbox complete all pending status changes and webhooks, as if time had passed. */
  settle: () => Promise<void>;
  /** At the end of the guided path, and a batch that was just received, electronic or by file. */
  batch: (kind: 'electronic' | 'file') => Promise<void>;
  /** Pays the first listed invoices. */
  pay: () => Promise<void>;
  /** Restores the stage before any payment, with a new creditor: the console remembers what it sent to others. */
  owing: () => Promise<void>;
  /** After the guided path's data set, with a subscription to the provider of this name only. */
  subscribed: (name: string) => Promise<void>;
  /**
   * Puts a debtor and a creditor as the forms' values make them, unless they await their answer already; the answer stays
   * away. `authorising`: under names that the provider wants authorised.
   */
  put: (authorising: boolean) => Promise<void>;
  /** Deletes the debtors and creditors that are kept, or as many that nobody knows; the answer stays away. */
  remove: (unknown?: boolean) => Promise<void>;
  /** Removes all rules except those of every path, and stops the clock. */
  reset: () => Promise<void>;
  /** Sends one message of each of these kinds and loses the responses: the sandbox has them, the console does not know. */
  losing: (kinds: readonly string[], send: () => Promise<void>) => Promise<void>;
  /** Sets whether the provider refuses even what keeps all of its rules. */
  refuse: (all: boolean) => Promise<void>;
  /** Makes the provider refuse the next deletions. */
  refuseDeletions: () => Promise<void>;
  /** Queries debtors and creditors, and holds the answers. */
  query: () => Promise<void>;
  /** Sends an update of the current subscription with the form's initial or with other values, and holds the answer. */
  update: (other?: boolean) => Promise<void>;
  /** Makes the service tell the console that the current subscription may have changed. */
  hintAtSubscription: () => Promise<void>;
  /** Approves the last batch if it awaits approval, and has it processed to its end unless `settles` is false. */
  approveBatch: (settles?: boolean) => Promise<void>;
  /** Approves or rejects the messages that await approval, and sends the answer. */
  decide: (decision: 'approve' | 'reject') => Promise<void>;
  /**
   * At the end of the guided path, and the service tells the subscription as one to the provider of this id; by SQL, because
   * the console keeps definitions longer than a path takes, so that no change of the lab would be seen.
   */
  subscribedTo: (providerId: string) => Promise<void>;
  /** Deletes the console's records of batches, as if they had been posted elsewhere. */
  forgetBatches: () => Promise<void>;
  /** Deletes the console's webhooks, as if they had expired. */
  forgetWebhooks: () => Promise<void>;
}

/** Copies of a table by name, restored while its owner keeps using it; `run` executes SQL. */
const copiesOf = (table: string, run: (sql: string) => unknown) => ({
  keep: (name: string) => run(`create temp table ${name}_${table} as select * from main.${table}`),
  putBack: (name: string) =>
    run(`begin immediate; delete from main.${table}; insert into main.${table} select * from ${name}_${table}; commit`),
});

/** Starts everything and walks the guided path once over HTTP. */
export async function openWorld(): Promise<World> {
  const between = await openBetween();
  const { lab } = between;
  const api = apiAt(between.program.url);
  const service = new Database(between.files.service);
  service.exec('pragma busy_timeout = 5000');
  const all = [
    copiesOf('records', (sql) => between.program.sql(between.files.console, sql)),
    copiesOf('settings', (sql) => between.program.sql(between.files.console, sql)),
    copiesOf('records', (sql) => service.exec(sql)),
  ];
  const keep = (stage: Kept) => Promise.all(all.map((copies) => copies.keep(stage)));

  let rules: Rule[] = [];
  let providers: Provider[] = [];
  async function post(kind: 'electronic' | 'file'): Promise<void> {
    const { subscriptionId } = await api.done('getSettings');
    const [format] = (await api.done('getFileFormats')).data;
    // The console remembers what was paid before it was put back.
    if (kind === 'electronic') await pay(api, subscriptionId, paymentForm(rules), undefined, true);
    else await pay(api, subscriptionId, paymentForm(rules, format?.specification.rules), format?.fileFormatId, true);
  }

  /** A debtor or creditor as the form's values make it, for the current subscription; under that name, if one is given. */
  async function partyData(name: 'debtor' | 'creditor', called: string | undefined) {
    const { subscriptionId } = await api.done('getSettings');
    const form = partyForm(rules, name === 'debtor' ? 'DebtorAccounts' : 'Creditors');
    const typed: Record<string, string> = entries[name];
    const values = Object.fromEntries(
      form.fields.map(({ id, label, options }) => {
        const given = typed[label] ?? '';
        return [id, options.find((option) => option.label === given)?.value ?? given];
      }),
    );
    const nameId = form.fields.find(({ id }) => id.endsWith('.name'))?.id ?? '';
    return { ...nested(form, called === undefined ? values : { ...values, [nameId]: called }), subscriptionId };
  }

  const whilePending = 'refuse';
  async function putDebtor(called?: string): Promise<void> {
    const data = { ...(await partyData('debtor', called)), debtorId: randomUUID() };
    await api.call('putDebtor', { body: { data, whilePending } });
  }
  async function putCreditor(called?: string): Promise<void> {
    const data = { ...(await partyData('creditor', called)), creditorId: randomUUID() };
    await api.call('putCreditor', { body: { data, whilePending } });
  }

  let refusing: KeptRule[] = [];

  const world: World = {
    ...between,
    api,
    async at(stage) {
      // Setting the clock lets the service answer what a path before has sent, which must not arrive after this.
      await vi.waitFor(() => expect(between.isSettled()).toBe(true), { timeout: 10_000, interval: 5 });
      service.exec('delete from jobs');
      await Promise.all(all.map(({ putBack }) => putBack(stage)));
    },
    async reset() {
      refusing = [];
      await Promise.all([between.pause(), lab.stop()]);
      await lab.set(abroad);
    },
    async settle() {
      await between.resume();
      await vi.waitFor(async () => expect(await between.pending()).toBe(0), { timeout: 10_000, interval: 10 });
      await between.pause();
    },
    async refuse(all) {
      for (const { ruleId } of refusing.splice(0)) await lab.remove(ruleId);
      if (!all) return;
      for (const on of ['put', 'message'])
        refusing.push(await lab.set({ on, times: 'always', fault: { kind: 'refuse' } }));
    },
    async refuseDeletions() {
      for (const of of ['debtoraccountdeletes', 'creditordeletes'])
        await lab.set({ on: 'message', of, fault: { kind: 'refuse' } });
    },
    async batch(kind) {
      await world.at('creditor');
      await post(kind);
    },
    pay: () => post('electronic'),
    async owing() {
      await world.at('debtor');
      await putCreditor();
      await world.settle();
    },
    async subscribed(name) {
      await world.at('dataset');
      const provider = providers.find((each) => each.name === name);
      if (!provider) throw new Error(`There is no provider ${name}`);
      await subscribeTo(api, provider, provider.accountType.validationRules);
    },
    async put(authorising) {
      const called = authorising ? 'To authorise' : undefined;
      await putDebtor(called);
      await putCreditor(called);
    },
    async remove(unknown = false) {
      const idOf = (id: string) => (unknown ? randomUUID() : id);
      for (const { debtorId, subscriptionId } of (await api.done('getDebtors')).data)
        await api.call('deleteDebtor', { body: { data: { debtorId: idOf(debtorId), subscriptionId } } });
      for (const { creditorId, subscriptionId } of (await api.done('getCreditors')).data)
        await api.call('deleteCreditor', { body: { data: { creditorId: idOf(creditorId), subscriptionId } } });
    },
    async losing(kinds, send) {
      for (const of of kinds) await lab.set({ on: 'call', of, fault: { kind: 'answerLost' } });
      await send();
    },
    async query() {
      const { subscriptionId } = await api.done('getSettings');
      for (const name of ['queryDebtors', 'queryCreditors'] as const)
        await api.call(name, { body: { data: { subscriptionId } } });
    },
    async update(other = false) {
      const { subscriptionId } = await api.done('getSettings');
      const { data: answer } = await api.done('getSubscription', { params: { subscriptionId } });
      const { form, values } = updateForm(rules, answer.data.additionalData);
      const properties = other ? { another: 'one' } : (JSON.parse(additionalData(form, values)) as JsonObject); // made as one
      const data = { resource: 'Subscription' as const, id: subscriptionId, subscriptionId, properties };
      await api.call('sendUpdate', { body: { data } });
    },
    async hintAtSubscription() {
      const { subscriptionId } = await api.done('getSettings');
      await lab.ask('POST', '/webhooks', { type: 'subscriptionUpdated', subscriptionId });
      await world.settle();
    },
    async decide(decision) {
      await world.settle();
      for (const { authorise } of (await api.done('listMessages', { query: { state: 'waiting' } })).data)
        if (authorise !== '') await fetch(authorise, { method: 'POST', body: new URLSearchParams({ decision }) });
      await world.settle();
    },
    async approveBatch(settles = true) {
      const posted = JSON.parse((await api.done('getPostedBatches')).data) as { batchId: string }[];
      const { batchId = '' } = posted.at(-1) ?? {};
      const link = batchId && (await api.done('getBatch', { params: { batchId } })).links?.authorise;
      if (!link) return;
      await fetch(link, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
      if (settles) await world.settle();
    },
    async subscribedTo(providerId) {
      await world.at('creditor');
      service
        .prepare("update records set value = json_set(value, '$.providerId', ?) where kind = 'subscription'")
        .run(providerId);
    },
    forgetBatches: () => between.program.sql(between.files.console, "delete from records where kind = 'batches'"),
    forgetWebhooks: () => between.program.sql(between.files.console, "delete from records where kind = 'webhooks'"),
    async close() {
      service.close();
      await between.close();
    },
  };

  await keep('nothing');
  await onboard(api, undefined, keep);
  providers = (await api.done('getProviders')).data;
  ({ rules } = await subscribe(api, 'Larkfield Bacs Bureau', keep));
  await between.pause();
  await post('electronic');
  await world.settle();
  await keep('batch');
  return world;
}
