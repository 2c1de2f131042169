import type { BatchRequest, Invoice } from '#contract/payment.ts';
import type { Problem } from '#contract/problem.ts';
import { batchRequest } from '#rules/batch.ts';
import type { Answer } from '#contract/shapes.ts';
import { companyHeader } from '#contract/constants.ts';
import type { Choice } from './decisions.ts';
import type { Company } from './onboard.ts';
import { LineError } from './line.ts';
import type { World } from './world.ts';

/** What a user was told of a payment, and by that wants to rely on. */
interface Told {
  key: string;
  /** That of the batch that was sent. */
  externalId: string;
  /** `paid`: done, in this batch; `not-done`: nothing was paid under this key; `unknown`. */
  what: 'paid' | 'not-done' | 'unknown';
  batchId?: string;
  at: number;
}

/** What the users of a world did and were told. */
export interface Ledger {
  told: Told[];
  /** By invoice, how often its payment although it was paid, or may have been, was confirmed. */
  confirmed: Map<string, number>;
  /** The keys under which something was sent, with the company's key; '' for the current one. */
  keys: Map<string, string>;
  /** The keys under which a program has paid at the service, of whose batches the console has only read. */
  others: Set<string>;
  /** What was reviewed, without the date, as text. */
  reviewed: Set<string>;
}
export const emptyLedger = (): Ledger => ({
  told: [],
  confirmed: new Map(),
  keys: new Map(),
  others: new Set(),
  reviewed: new Set(),
});

const amounts = ['19.99', '0.29', '1234.50', '0.10', '0.10', '88.00', '5.05', '412.75'];
/** The invoices that exist in a world; two have the same payee and amount. */
export const invoicesOf = ({ creditors }: Pick<Company, 'creditors'>, series = 'INV'): Invoice[] =>
  amounts.map((amount, index) => {
    const creditor = creditors[index % creditors.length]!; // within the list
    return {
      invoiceId: `${series}-${index + 1}`,
      amount,
      currency: 'GBP',
      description: `Invoice ${index + 1}`,
      creditor: creditor.creditorId,
      creditorName: creditor.creditorname,
    };
  });

/** A reply, or null if the line lost the request or its answer. */
export async function heard<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof LineError) return null;
    throw error;
  }
}

type BatchReply = { ok: true; answer: Answer<'createBatch'> } | { ok: false; problem: Problem };

/** Notes what the console has told of a payment. */
export function tell(
  ledger: Ledger,
  world: World,
  { key, externalId }: Pick<Told, 'key' | 'externalId'>,
  reply: BatchReply | null,
): Told {
  const said = ((): Pick<Told, 'what' | 'batchId'> => {
    if (!reply) return { what: 'unknown' };
    if (reply.ok) return { what: 'paid', batchId: reply.answer.data.batchId };
    const { outcome, earlier } = reply.problem;
    if (outcome === 'done' || earlier?.state === 'done')
      return { what: 'paid', ...(earlier?.id && { batchId: earlier.id }) };
    return { what: outcome === 'unknown' || earlier ? 'unknown' : 'not-done' };
  })();
  const told = { key, externalId, at: world.scheduler.now(), ...said };
  world.scheduler.note(`the user reads: ${told.what} ${told.batchId ?? ''} ${problemText(reply)}`.trimEnd());
  ledger.told.push(told);
  return told;
}
const problemText = (reply: BatchReply | null): string =>
  reply && !reply.ok ? `${reply.problem.code} ${reply.problem.outcome ?? ''}: ${reply.problem.detail}` : '';

/** Whether a problem says that invoices are paid, or may be. */
const isPaidAlready = ({ code }: Problem): boolean => code === 'paid-already';

/** Opens the review of a payment; null if it does not open. */
async function review(world: World, batch: Omit<BatchRequest, 'externalId'>, { between }: Choice) {
  for (let turn = 0; turn < 4; turn += 1) {
    const reply = await heard(world.api.call('preparePayment', { body: batch }));
    if (reply?.ok) return reply.answer.data;
    await world.scheduler.wait(between(50, 3000));
  }
  return null;
}

/** How a user pays. */
interface Habit {
  /** Decides for the user. */
  choice: Choice;
  /** The longest time (ms) until the user repeats a payment, or opens the page again. */
  patience: number;
}

/** A user who pays a few of the invoices, as the page does: reviews, pays, and repeats what was lost. */
export async function pays(
  world: World,
  company: Company,
  ledger: Ledger,
  invoices: readonly Invoice[],
  { choice, patience }: Habit,
): Promise<void> {
  const { scheduler } = world;
  const { chance, between } = choice;
  const { externalId: _, ...batch } = batchRequest({
    externalId: '',
    invoices,
    today: new Date().toISOString().slice(0, 10),
    ...company,
  });
  const names = invoices.map(({ invoiceId }) => invoiceId);
  scheduler.note(`a user pays ${names.join(', ')}`);
  for (let round = 0; round < 3; round += 1) {
    const review_ = await review(world, batch, choice);
    if (!review_) return;
    ledger.reviewed.add(JSON.stringify(batch));
    const { key, first, covered, shown } = review_;
    const isCovered = covered.length > 0 && !first;
    const again = isCovered && chance(0.15);
    if (isCovered && !again) return scheduler.note('it is paid, or may be: the user leaves');
    const body = first ?? { ...batch, externalId: crypto.randomUUID() };
    ledger.keys.set(key, '');
    const sent = { key, externalId: body.externalId };
    if (again) for (const { index } of covered) confirm(ledger, names[index]!); // of this batch
    const send = async () => {
      const query = again ? { query: { again: 'true' as const, shown } } : {};
      const reply = await heard(world.api.call('createBatch', { key, body, ...query }));
      const { what } = tell(ledger, world, sent, reply);
      return reply && !reply.ok && isPaidAlready(reply.problem) ? 'paid-already' : what;
    };
    const answers = await Promise.all(chance(0.15) ? [send(), send()] : [send()]);
    if (answers.some((what) => what === 'paid' || what === 'paid-already')) return;
    for (let repeat = 0; repeat < 2 && chance(0.7); repeat += 1) {
      await scheduler.wait(between(10, patience));
      const what = await send();
      if (what === 'paid' || what === 'paid-already') return;
      if (what === 'not-done') break;
    }
    if (chance(0.3)) return scheduler.note('the user leaves');
    // Reloads the page.
    await scheduler.wait(between(10, patience / 2));
  }
}

export const confirm = ({ confirmed }: Ledger, invoice: string): void =>
  void confirmed.set(invoice, (confirmed.get(invoice) ?? 0) + 1);

/** A user who pays by bank file, whose keys the service keeps for ten minutes, and who may come back later than that. */
export async function paysByFile(world: World, company: Company, ledger: Ledger, name: string): Promise<void> {
  const choice = world.scheduler.of(name);
  const own = invoicesOf(company, 'FILE');
  for (let payment = choice.between(1, 2); payment > 0; payment -= 1) {
    const chosen = own.slice(0, choice.between(1, 2));
    await pays(world, { ...company, ...company.file }, ledger, chosen, { choice, patience: 1_500_000 });
    await world.scheduler.wait(choice.between(1, 900_000));
  }
}

/** A user who looks: at the facts, at batches, at invoices. */
export async function looks(world: World, ledger: Ledger, times: number): Promise<void> {
  const { scheduler, api } = world;
  const choice = scheduler.of('a user who looks');
  for (let time = 0; time < times; time += 1) {
    await scheduler.wait(choice.between(10, 20_000));
    const known = ledger.told.flatMap(({ batchId }) => (batchId === undefined ? [] : [batchId]));
    if (known.length > 0 && choice.chance(0.7))
      await heard(api.call('getBatch', { params: { batchId: choice.pick(known) } }));
    else await heard(api.call('getFacts'));
  }
}

/**
 * A user who follows one batch in two tabs, from its beginning: reads it and the list of batches again and again, often
 * before the answer before has come, also once it has ended.
 */
export async function follows({ scheduler, api, stepDelay }: World, ledger: Ledger): Promise<void> {
  const { between, chance } = scheduler.of('a user who follows a batch');
  const latest = () => ledger.told.findLast((each) => each.batchId !== undefined)?.batchId;
  for (let turn = 0; turn < 400 && latest() === undefined; turn += 1) await scheduler.wait(between(20, 300));
  const batchId = latest();
  if (batchId === undefined) return;
  const params = { batchId };
  const read = async () => {
    if (chance(0.4)) await heard(api.call('getPostedBatches'));
    else await heard(api.call('getBatch', { params }));
  };
  const asked: Promise<void>[] = [];
  // While the service changes it, however slowly, and later.
  const slowly = stepDelay === undefined ? [] : Array<number>(20).fill(stepDelay / 4);
  for (const most of [...Array<number>(20).fill(80), ...slowly, ...Array<number>(between(3, 8)).fill(15_000)]) {
    const reading = read();
    asked.push(reading);
    if (chance(0.2)) await reading;
    await scheduler.wait(between(1, most));
  }
  await Promise.all(asked);
}

/** Lets a subscription pay again, as its list does. */
const resume = ({ api }: World, subscriptionId: string, headers: Record<string, string>) =>
  heard(
    api.call('patchSubscription', {
      params: { subscriptionId },
      body: { data: { suspendedByConsumer: false } },
      headers,
    }),
  );

/** Once nothing goes wrong any more: repeats what is unknown until it is known, and ends what a repeat is refused for. */
export async function settles(world: World, ledger: Ledger): Promise<string[]> {
  const { api, scheduler } = world;
  const left: string[] = [];
  /** Whether a problem says that the service has forgotten the key meanwhile, as it does soon with those of bank files. */
  const isForgotten = (body: BatchRequest, reply: BatchReply | null): boolean =>
    body.fileFormatId !== undefined && reply?.ok === false && reply.problem.code === 'outcome-unknown';
  for (const [key, companyKey] of ledger.keys) {
    const headers = companyKey === '' ? {} : { [companyHeader]: companyKey };
    const latest = ledger.told.findLast((each) => each.key === key);
    if (latest && latest.what !== 'unknown') continue;
    const sent = await heard(api.call('getPaymentAttempt', { params: { key }, headers }));
    if (!sent?.ok) continue; // it was never sent
    const body = sent.answer.data;
    let what: Told['what'] = 'unknown';
    let again = false;
    let isLeft = true;
    for (let turn = 0; turn < 5 && what === 'unknown'; turn += 1) {
      const query = again ? { query: { again: 'true' as const } } : {};
      const reply = await heard(api.call('createBatch', { key, body, headers, ...query }));
      what = tell(ledger, world, { key, externalId: body.externalId }, reply).what;
      isLeft = what === 'unknown' && !isForgotten(body, reply);
      if (!isLeft) break;
      const { subscriptionId } = body;
      if (subscriptionId && reply?.ok === false && /suspended/.test(reply.problem.detail))
        await resume(world, subscriptionId, headers);
      // Another payment of its invoices was confirmed meanwhile, so that this one has to be confirmed too.
      if (!again && reply && !reply.ok && isPaidAlready(reply.problem)) {
        const { externalId: _, ...batch } = body;
        await heard(api.call('preparePayment', { body: batch, headers })); // shows the other payment
        again = true;
        for (const { remittanceInformation } of body.payments) confirm(ledger, remittanceInformation?.reference ?? '');
      }
      await scheduler.wait(60_000);
    }
    if (isLeft) left.push(key);
  }
  return left;
}
