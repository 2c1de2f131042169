import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { paymentForm } from '#rules/field.ts';
import { dayInWords, dayNote, isProcessingDay, schemes } from '#rules/bankingDays.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batch, consoleWith, making, payment } from '#tests/support/consoleWithPayments.ts';
import { executionDateAfter } from '#tests/support/executionDate.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';

const bacs = schemes.find(({ name }) => name === 'Bacs')!; // it exists
const coming = Array.from({ length: 10 }, (_, ahead) => executionDateAfter(ahead));
const sunday = coming.find((date) => new Date(date).getUTCDay() === 0)!; // within ten days
const processing = coming.find((date) => isProcessingDay(bacs, date.slice(0, 10)))!; // as well

const noteOf = (date: string) => dayNote(bacs, date.slice(0, 10));

describe('The answer of POST /api/batchpayments', () => {
  it('names the next banking day of provider and file format, also when it is repeated (behaviour 9.16)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId } = await subscribe(server);
    const [format] = (await server.done('getFileFormats', { query: { country: 'GB', language: 'en' } })).data;
    expect(noteOf(sunday)).toContain(`Bacs does not process on ${dayInWords(sunday.slice(0, 10))}. Its next day is `);
    const byProvider = { ...batch, subscriptionId };
    const byFile = { ...byProvider, fileFormatId: format!.fileFormatId };
    for (const body of [byProvider, byFile]) {
      const key = randomUUID();
      const on = (requestedExecutionDateTime: string): BatchRequest => ({ ...body, externalId: key, requestedExecutionDateTime }); // prettier-ignore
      const query = { again: 'true' } as const;
      for (const _ of ['first', 'repeat'])
        expect((await server.done('createBatch', { body: on(sunday), key, query })).notes).toEqual([noteOf(sunday)]);
      expect((await server.done('createBatch', { body: on(processing), key: randomUUID(), query })).notes).toBe(
        undefined,
      );
    }
  });

  it('of which the day is no banking day is said by GET /api/batchpayments/{batchId} while it is in progress (behaviour 9.16)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const valid = await batchBody(server, subscriptionId, paymentForm(rules));
    const waitsOf = async (requestedExecutionDateTime: string) => {
      const body = { ...valid, externalId: randomUUID(), requestedExecutionDateTime };
      const query = { again: 'true' } as const;
      const { batchId } = (await server.done('createBatch', { body, key: randomUUID(), query })).data;
      return async () => {
        const { data, waits } = await server.done('getBatch', { params: { batchId } });
        return [data.status, waits];
      };
    };
    const comingSunday = coming.slice(1).find((date) => new Date(date).getUTCDay() === 0)!; // within ten days
    await expect.poll(await waitsOf(executionDateAfter(0)), { timeout: 5000 }).toEqual(['Completed', undefined]);
    await server.done('changeClock', { body: { everyDay: false } });
    const waits = await waitsOf(comingSunday);
    await expect.poll(waits, { timeout: 5000 }).toEqual(['Processing', [noteOf(comingSunday)]]);
    // Then it waits for its day only.
    await server.done('changeClock', { body: { everyDay: true } });
    expect(await waits()).toEqual(['Processing', undefined]);
  });

  it('says of a payment in euro that its address has no town of its own (behaviour 9.17)', async () => {
    const { server } = await consoleWith(making());
    const euro: BatchRequest = {
      ...batch,
      payments: [{ ...payment!, instructedAmount: { amount: '1.00', currency: 'EUR' } }],
    };
    const { notes } = await server.done('createBatch', { body: euro, key: randomUUID() });
    expect(notes).toEqual([
      expect.stringMatching(/names no town apart from its lines\. From 15 November 2026 on.*\(SEPA\)\.$/),
    ]);
  });

  it('has no note of the day, and the batch is paid, if the definitions cannot be read (behaviour 9.16)', async () => {
    const { server, sent } = await consoleWith(making());
    const body = { ...batch, requestedExecutionDateTime: sunday };
    const { data, notes } = await server.done('createBatch', { body, key: randomUUID() });
    expect([data.status, notes, sent().length]).toEqual(['Received', undefined, 1]);
  });
});
