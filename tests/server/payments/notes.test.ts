import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { waitNotes } from '#server/payments/notes.ts';
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

describe('Why a batch waits', () => {
  const hanging = new Promise<never>(() => undefined);
  const failing = () => Promise.reject(new Error());
  const always = () => Promise.resolve({ everyDay: true });
  const [friday, saturday, sundayThen, monday] = ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'];
  const note = (name: string, day: string) =>
    dayNote(
      schemes.find((each) => each.name === name)!,
      day,
    ); // each of them exists

  /** What is said of a batch in progress on its day, read on another one (`today`). */
  function waits(
    more: object,
    {
      today = friday,
      lab = () => Promise.resolve<object>({ everyDay: false }),
      own = true,
      formats = () => Promise.resolve({ data: [{ fileFormatId: 'f', name: 'Bacs and Direct Entry' }] }),
    }: { today?: string; lab?: () => Promise<object>; own?: boolean; formats?: () => Promise<object> } = {},
  ) {
    const waited: number[] = [];
    const at = Date.parse(`${today}T23:59:59.999Z`);
    const context = {
      config: { upstream: { lab: own } },
      settings: {},
      upstream: {
        serviceClock: { now: () => at },
        fileFormats: formats,
        lab: (...asked: string[]) => (asked.join(' ') === 'GET /clock' ? lab() : Promise.reject(new Error())),
      },
      clock: { now: () => 0, setTimeout: (run: () => void, ms: number) => void (waited.push(ms), setTimeout(run, 50)) },
    } as unknown as CompanyContext; // what is read of it
    const said = waitNotes(context, {
      batchId: 'b',
      status: 'Processing',
      requestedExecutionDateTime: `${sundayThen}T00:00:00Z`,
      fileFormatId: 'f',
      payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' } }],
      ...more,
    });
    return said.then((notes) => ({ notes, waited }));
  }
  const inCurrencies = (...currencies: string[]) => ({
    payments: currencies.map((currency) => ({ instructedAmount: { amount: '1.00', currency } })),
  });

  it.each<[string, object, Parameters<typeof waits>[1], string[]]>([
    ['a day to come on which its scheme is closed', {}, {}, [note('Bacs', sundayThen)]],
    [
      'today, if its day has passed',
      { requestedExecutionDateTime: `${friday}T00:00:00Z` },
      { today: saturday },
      [note('Bacs', saturday)],
    ],
    ['its day is a banking day', { requestedExecutionDateTime: `${monday}T00:00:00Z` }, { today: sundayThen }, []],
    ['it is still received', { status: 'received' }, {}, [note('Bacs', sundayThen)]],
    ['it has ended', { status: 'Completed' }, {}, []],
    [
      'each scheme once',
      inCurrencies('GBP', 'AUD', 'GBP', 'USD'),
      {},
      [note('Bacs', sundayThen), note('RITS', sundayThen)],
    ],
    [
      'only the closed one of two schemes',
      { ...inCurrencies('GBP', 'AUD'), requestedExecutionDateTime: '2026-08-31T00:00:00Z' },
      { today: '2026-08-31' },
      [note('Bacs', '2026-08-31')],
    ],
    ['its format is not known', { fileFormatId: 'g' }, {}, []],
    ['the formats cannot be read', {}, { formats: failing }, []],
    ['a sandbox processes on every day', {}, { lab: always }, []],
    ['a sandbox does not say', {}, { lab: failing }, []],
    ['a service that is no sandbox is not asked', {}, { own: false, lab: always }, [note('Bacs', sundayThen)]],
    ['the service lists no payments', { payments: null }, {}, []],
    ['its day has another form', { requestedExecutionDateTime: 'tomorrow' }, {}, []],
  ])('is said of %s (behaviour 9.16)', async (_, more, how, expected) => {
    expect((await waits(more, how)).notes).toEqual(expected);
  });

  it('is not said if that would take longer than a second (behaviour 9.16)', async () => {
    expect(await waits({}, { formats: () => hanging })).toEqual({ notes: [], waited: [1000] });
    expect(await waits({}, { lab: () => hanging })).toEqual({ notes: [], waited: [1000, 1000] });
  });
});
