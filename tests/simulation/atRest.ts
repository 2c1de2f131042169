import { calls } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { Exchange } from './line.ts';
import type { World } from './world.ts';

/** A world at rest, without what differs between two builds of the console that do the same: ids and times. */
export interface AtRest {
  /** The batches that the service has made, with their payments, sorted. */
  batches: string[];
  /** What a review says of each payment that users have reviewed or sent: `paid`, `unknown` (perhaps paid) or `free`. */
  invoices: Record<string, string>;
  /** How often users were told each sentence. */
  told: Record<string, number>;
}

/** Ids, keys, times and random names of invoices in a sentence. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/(?<=INV-\d{5})-\w{5}|(?<=PRG-)[\da-f]{8}-/g, ''],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '<id>'],
];
const plain = (text: string): string => varying.reduce((left, [each, name]) => left.replaceAll(each, name), text);

const nameOf = ({ remittanceInformation, instructedAmount: { amount, currency } }: Payment): string =>
  plain(`${remittanceInformation?.reference ?? ''} ${amount} ${currency}`);

const describe = ({ status, payments }: RecordedBatch): string =>
  plain(
    `${status}: ${payments.map((each) => `${each.reference} ${each.amount} ${each.currency} ${each.status}`).join(', ')}`,
  );

const isOf = (name: 'createBatch' | 'preparePayment' | 'getBatch', { method, path }: Exchange): boolean =>
  method === calls[name].method && new RegExp(`^${calls[name].path.replace(/\{\w+\}/, '[^/]+')}$`).test(path);

/** The sentences of one answer. */
function sentencesIn(each: Exchange): string[] {
  const { status, text, method, path } = each;
  if (status === 0 || !text.startsWith('{')) return [];
  const name = plain(`${method} ${path}`);
  if (status >= 400) {
    const { code, outcome = '', repeat = '', earlier, detail } = JSON.parse(text) as Problem; // the console's own
    return [plain(`${name}: ${code} ${outcome} ${repeat} ${earlier?.state ?? ''}: ${detail}`)];
  }
  if (isOf('createBatch', each)) return [`${name}: paid`];
  if (isOf('preparePayment', each)) {
    const { covered, first } = (JSON.parse(text) as Answer<'preparePayment'>).data;
    return covered.map(({ state, says = '' }) => plain(`${name}: ${first ? 'repeats, ' : ''}${state} ${says}`));
  }
  if (!isOf('getBatch', each)) return [];
  const { data, ended = '', staysPaid = [] } = JSON.parse(text) as Answer<'getBatch'>;
  return [
    `${name}: ${data.status} ${ended}`,
    ...staysPaid.map(({ reason }) => plain(`${name}: stays paid: ${reason}`)),
  ];
}

/** Describes what became of a world. `api`: how the console is asked; `exchanges`: those of the users that it knows. */
export async function atRest(
  { api, scheduler }: Pick<World, 'api' | 'scheduler'>,
  batches: readonly RecordedBatch[],
  exchanges: readonly Exchange[],
): Promise<AtRest> {
  const today = `${new Date(scheduler.now()).toISOString().slice(0, 10)}T00:00:00Z`;
  const sent = new Map<string, { body: Omit<BatchRequest, 'externalId'>; company: string }>();
  for (const each of exchanges) {
    if (!isOf('createBatch', each) && !isOf('preparePayment', each)) continue;
    const { externalId: _, payments, ...batch } = JSON.parse(each.body) as BatchRequest; // the users' own
    for (const payment of payments)
      sent.set(nameOf(payment), {
        body: { ...batch, requestedExecutionDateTime: today, payments: [payment] },
        company: each.companyKey || each.asked,
      });
  }
  const told: Record<string, number> = {};
  for (const sentence of exchanges.flatMap(sentencesIn).sort()) told[sentence] = (told[sentence] ?? 0) + 1;
  const invoices: Record<string, string> = {};
  for (const [name, { body, company }] of [...sent].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const headers: Record<string, string> = company === '' ? {} : { [companyHeader]: company };
    const reply = await api.call('preparePayment', { body, headers });
    invoices[name] = reply.ok ? (reply.answer.data.covered[0]?.state ?? 'free') : reply.problem.code;
  }
  return { batches: batches.map(describe).sort(), invoices, told };
}
