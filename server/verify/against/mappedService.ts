import type { RecordedBatch, RecordedCall } from '#server/sandbox/recorded.ts';
import { isAnswered, type Invoice } from '#server/programs/checks/evidence.ts';
import { invoicesFor } from '../situation.ts';
import type { OpenService } from '../tested.ts';
import { openFaultProxy, type Accepted } from './faultProxy.ts';
import { createWebhookSecret, mappedForm } from './mappedForm.ts';
import type { Mapping } from './mapping.ts';
import { readingOf, type Reading } from './reading.ts';

const withoutId = 'without id ';

/** What a write has created. */
interface Created {
  batchId: string;
  key: string;
  call: RecordedCall;
  at: number;
}

/** Returns the call of a context that was accepted, as far as its payments are read from it. */
const callOf = ({ ctx, answer }: Accepted): RecordedCall => ({
  number: 0,
  at: 0,
  ms: 0,
  method: ctx.method,
  path: ctx.path,
  query: '',
  operation: '',
  status: ctx.status,
  headers: { 'content-type': ctx.get('content-type') },
  body: ctx.request.text ?? '',
  response: { headers: {}, body: answer },
  isDone: true,
  mistakes: [],
});

/** Returns what the service's answers tell of a batch: each payment with its latest status. */
function batchOf(
  created: Created,
  reading: Reading,
  calls: readonly RecordedCall[],
  asked: readonly Invoice[],
): RecordedBatch {
  const { batchId, key, call, at } = created;
  const told = [call, ...calls.filter((each) => isAnswered(each) && reading.batchIn(each) === batchId)].map((each) =>
    reading.statusesBy(each, asked),
  );
  const statusOf = (reference: string): string =>
    told.flat().findLast(([identity]) => identity === reference || identity === '')?.[1] ?? 'Processing';
  return {
    batchId,
    companyId: '',
    externalId: '',
    idempotencyKey: key,
    status: '',
    at,
    payments: reading.paymentsIn(call, asked).map((payment, index) => ({
      ...payment,
      paymentId: `${batchId} ${index}`,
      status: statusOf(payment.reference),
    })),
  };
}

/** The calls that are named of those by which nothing was created. */
const mostNamed = 5;

/** Returns why a mapping does not fit what the program and the service did; '' if it does. */
function troubleWith(
  { url, writes }: Mapping,
  reading: Reading,
  seen: {
    failure: () => string;
    calls: () => readonly RecordedCall[];
    created: readonly Created[];
    asked: readonly Invoice[];
  },
): string {
  const failure = seen.failure();
  if (failure !== '') return `The service ${url} cannot be reached: ${failure}.`;
  const [first] = seen.created;
  if (!first) {
    const made = [
      ...new Set(seen.calls().map(({ method, path, status }) => `${method} ${path} (${status || 'no answer'})`)),
    ];
    return `The service created nothing: none of the calls that writes names was accepted. The program called ${made.slice(-mostNamed).join(', ')}. Correct writes in the mapping, or the program.`;
  }
  const { call, batchId } = first;
  const write = writes.find((each) => each.call.method === call.method && each.call.path.test(call.path));
  if (batchId.startsWith(withoutId))
    return `The answer to ${call.method} ${call.path} has no ${write?.answer.id ?? ''}: correct writes, answer, id in the mapping.`;
  const named = reading.paymentsIn(call, seen.asked);
  if (named.length === 0)
    return `The body of ${call.method} ${call.path} has no list ${write?.payments ?? ''}: correct writes, payments in the mapping.`;
  if (named.some(({ reference }) => seen.asked.some((each) => [each.id, each.reference].includes(reference))))
    return '';
  return `No payment of ${call.method} ${call.path} names an invoice in ${write?.identifiedBy.join(', ') ?? ''}: let it have the invoice’s id or reference there, or correct identifiedBy in the mapping.`;
}

/** Returns a function that opens a proxy in front of the service that a mapping describes. */
export const serviceOf =
  (mapping: Mapping): OpenService =>
  async ({ env }) => {
    const reading = readingOf(mapping);
    const created = new Map<string, Created>();
    const asked: Invoice[] = [];
    const proxy = await openFaultProxy({
      target: mapping.url.replace(/\/$/, ''),
      operationOf: reading.operationOf,
      accepted(accepted) {
        const { ctx, answer, at } = accepted;
        if (reading.operationOf(ctx.method, ctx.path) !== 'createBatch') return;
        const key = ctx.get(reading.keyHeader);
        // A repeat under the same key has the id of the first attempt.
        const batchId = reading.createdBy(ctx, answer) || `${withoutId}${created.size + 1}`;
        if (!created.has(batchId)) created.set(batchId, { batchId, key, call: callOf(accepted), at });
      },
    });
    const { webhooks, urlVariable, currency, amounts } = mapping;
    const secret = createWebhookSecret();
    const creditors = mapping.creditors.map((creditorId) => ({ creditorId, name: creditorId }));
    return {
      url: proxy.url,
      calls: proxy.calls,
      trouble: () =>
        Promise.resolve(troubleWith(mapping, reading, { ...proxy, created: [...created.values()], asked })),
      webhooks: () => [],
      batches: () => Promise.resolve([...created.values()].map((each) => batchOf(each, reading, proxy.calls(), asked))),
      addFault: (rule) => Promise.resolve(proxy.addFault(rule)),
      clearFaults: () => Promise.resolve(proxy.clearFaults()),
      step: () => Promise.resolve(),
      told: () => Promise.resolve(),
      close: () => proxy.close(),
      environment: {
        PAYMENTS_URL: proxy.url,
        [urlVariable]: proxy.url,
        ...(webhooks && { [webhooks.secretVariable]: secret }),
      },
      invoicesFor(prefix, which) {
        const invoices = invoicesFor(creditors, prefix, which, {
          currencies: [currency],
          amounts,
          same: amounts[0] ?? '',
        });
        asked.push(...invoices);
        return invoices;
      },
      webhookForm: webhooks && mappedForm(webhooks, mapping.statuses, secret),
      secrets: mapping.secrets.flatMap((name) => env[name] || []),
      reading,
    };
  };
