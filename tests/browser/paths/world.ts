import Database from 'libsql';
import { expect, vi } from 'vitest';
import type { Provider, Rule } from '#contract/entities.ts';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { openBetween, type Between } from '#tests/support/between.ts';
import type { Stage } from '#tests/support/facts.ts';
import { onboard, pay, subscribe, subscribeTo } from '#tests/support/guided.ts';
import { capricious } from './service.ts';

/** Rows of the guided path, by what is there once they are done. */
type Kept = Exclude<Stage, 'electronicPayment'> | 'nothing';

/** The console with its service, and the means to bring both into any situation. */
export interface World extends Between {
  api: ReturnType<typeof apiAt>;
  /** Makes console and service what they were at that point of the guided path. */
  at: (stage: Kept) => void;
  /** Lets the service decide and send everything that is pending, as if time had passed. */
  settle: () => Promise<void>;
  /** At the end of the guided path, and a batch that was just received, electronic or by file. */
  batch: (kind: 'electronic' | 'file') => Promise<void>;
  /** Pays the invoices that are listed first. */
  pay: () => Promise<void>;
  /** After the guided path's data set, with a subscription to the provider of this name only. */
  subscribed: (name: string) => Promise<void>;
  /** The service forgets all debtors and creditors by itself. */
  forgetParties: () => void;
  /** While true, the provider refuses even what keeps all of its rules. */
  strict: boolean;
}

/** Copies of some of a database's tables by name; to be put back while its owner goes on using it. */
function copiesOf(file: string, tables: readonly string[]) {
  const db = new Database(file);
  db.exec('pragma busy_timeout = 5000');
  return {
    db,
    keep: (name: string) =>
      tables.forEach((table) => db.exec(`create temp table ${name}_${table} as select * from main.${table}`)),
    putBack: db.transaction((name: string) =>
      tables.forEach((table) =>
        db.exec(`delete from main.${table}; insert into main.${table} select * from ${name}_${table}`),
      ),
    ),
  };
}

/** Starts everything and walks the guided path once over HTTP. */
export async function openWorld(): Promise<World> {
  const between = await openBetween({ catalogue: capricious(() => world.strict) });
  const api = apiAt(between.program.url);
  const ofConsole = copiesOf(between.files.console, ['entries']);
  const ofService = copiesOf(between.files.service, ['resource']);
  const both = [ofConsole, ofService];
  const keep = (stage: Kept) => both.forEach((copies) => copies.keep(stage));

  let rules: Rule[] = [];
  let providers: Provider[] = [];
  async function post(kind: 'electronic' | 'file'): Promise<void> {
    const { subscriptionId } = await api.done('getSettings');
    const [format] = (await api.done('getFileFormats')).data;
    if (kind === 'electronic') await pay(api, subscriptionId, paymentForm(rules));
    else await pay(api, subscriptionId, paymentForm(rules, format?.specification.rules), format?.fileFormatId);
  }

  const world: World = {
    ...between,
    api,
    strict: false,
    at(stage) {
      ofService.db.exec('delete from job');
      both.forEach(({ putBack }) => putBack(stage));
    },
    async settle() {
      between.resume();
      await vi.waitFor(() => expect(between.pending()).toBe(0), { timeout: 10_000, interval: 10 });
      between.pause();
    },
    async batch(kind) {
      world.at('creditor');
      await post(kind);
    },
    pay: () => post('electronic'),
    async subscribed(name) {
      world.at('dataset');
      const provider = providers.find((each) => each.name === name);
      if (!provider) throw new Error(`There is no provider ${name}`);
      await subscribeTo(api, provider, provider.accountType.validationRules);
    },
    forgetParties: () => ofService.db.exec("delete from resource where kind in ('debtor', 'creditor')"),
    async close() {
      both.forEach(({ db }) => db.close());
      await between.close();
    },
  };

  keep('nothing');
  await onboard(api, undefined, keep);
  providers = (await api.done('getProviders')).data;
  ({ rules } = await subscribe(api, 'Larkfield Bacs Bureau', keep));
  between.pause();
  await post('electronic');
  await world.settle();
  keep('batch');
  return world;
}
