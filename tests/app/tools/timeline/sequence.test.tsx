// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import type { Repeat } from '#rules/replay.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';
import { SendAgain } from '#app/tools/timeline/SendAgain.tsx';
import { Sequence } from '#app/tools/timeline/Sequence.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const interactionId = 'interaction-1';
const own = { interactionId, name: 'createBatch', method: 'POST', at: '2026-11-21T18:41:00.000Z', ms: 40 };
const call = timelineEntry({
  ...own,
  id: '1',
  kind: 'call',
  url: '/api/batchpayments',
  status: 200,
  request: { headers: { [companyHeader]: 'companyKey', 'idempotency-key': 'key' }, body: '{}', bytes: 2 },
});
const service = timelineEntry({ ...own, id: '2', kind: 'service', url: 'http://s/v3/batchpayments', status: 201 });

const sent: Repeat[] = [];
vi.mock('#app/client/sendRecorded.ts', () => ({
  sendRecorded: (repeat: Repeat) => {
    sent.push(repeat);
    return Promise.resolve({ ...call, id: '9' });
  },
}));

beforeEach(() => {
  sent.length = 0;
  server.made.length = 0;
  server.answers = {
    getTimeline: () => ({ data: [service, call] }),
    setFault: () => ({ data: {} }),
  };
});

describe('a call whose entries take several pages', () => {
  it('can be sent again once all of them are read (behaviour 10.17.13)', async () => {
    server.answers['getTimeline'] = ({ query }) =>
      query?.['after'] === undefined ? { data: [service], next: '2' } : { data: [{ ...call, interactionId: 'long' }] };
    renderPage(<SendAgain entry={{ ...service, interactionId: 'long' }} onSent={vi.fn()} />, {
      load: () => Promise.resolve(everything),
    });
    await waitFor(() => expect(requests('getTimeline').map(({ query }) => query?.['after'])).toContain('2'));
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
    expect(await screen.findByText('Shows the first response')).toBeDefined();
    expect(requests('getTimeline').every(({ query }) => query?.['interaction'] === 'long')).toBe(true);
  });

  it('is sent again by the id of the stored call, where its entry is kept with a record alone (behaviour 10.17.13)', async () => {
    server.answers['getTimeline'] = () => ({ data: [{ ...call, id: '7', interactionId: 'kept' }, service] });
    const onSent = vi.fn();
    renderPage(<SendAgain entry={{ ...service, interactionId: 'kept' }} onSent={onSent} />, {
      load: () => Promise.resolve(everything),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
    await userEvent.click(await screen.findByText('Shows the first response'));
    await waitFor(() => expect(onSent).toHaveBeenCalledWith('9'));
    expect(sent).toMatchObject([{ call: { id: '7' }, key: 'same' }]);
  });

  it('that has no stored call says so, and not that another program made it', async () => {
    server.answers['getTimeline'] = () => ({ data: [service] });
    renderPage(<SendAgain entry={{ ...service, interactionId: 'dropped' }} onSent={vi.fn()} />, {
      load: () => Promise.resolve(everything),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
    expect(await screen.findAllByText('No stored call of this console belongs to it.')).toHaveLength(2);
  });
});

describe('a sequence diagram', () => {
  it('takes a fault at a chosen arrow, and sends the call again with it under a new key after a confirmation (behaviour 10.20.14)', async () => {
    const onSent = vi.fn();
    renderPage(<Sequence entry={service} onOpen={vi.fn()} onSent={onSent} />, {
      load: () => Promise.resolve(everything),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'POST /v3/batchpayments' }));
    await userEvent.click(screen.getByRole('combobox', { name: 'Fault' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Response lost' }));
    await userEvent.click(screen.getByRole('button', { name: 'Run it again' }));
    expect(requests('setFault')).toEqual([]);
    await userEvent.click((await screen.findAllByRole('button', { name: 'Run it again' })).at(-1)!);
    await waitFor(() => expect(onSent).toHaveBeenCalledWith('9'));
    expect(requests('setFault').map(({ body }) => body)).toEqual([
      {
        on: 'call',
        of: 'createBatch',
        fault: { kind: 'answerLost' },
        times: 1,
        probability: 1,
        seed: expect.any(Number) as unknown,
      },
    ]);
    expect(sent).toMatchObject([{ call: { id: '1' }, key: 'new', isLive: false }]);
  });

  it('of a program’s call begins with the original call of its key, drawn from the program (behaviour 10.20.14)', async () => {
    const request = { headers: { 'x-idempotency-key': 'key-1' }, body: '', bytes: 0 };
    const of = { kind: 'program', method: 'POST', url: 'http://s/v3/batchpayments', request } as const;
    const original = timelineEntry({ ...of, id: '1', interactionId: 'one', status: 0, at: '2026-11-21T18:41:00.000Z' });
    const retry = timelineEntry({ ...of, id: '2', interactionId: 'two', status: 201, at: '2026-11-21T18:41:02.000Z' });
    server.answers['getTimeline'] = ({ query }) => ({ data: matching([retry, original], query as TimelineFilter) });
    renderPage(<Sequence entry={retry} onOpen={vi.fn()} onSent={vi.fn()} />, {
      load: () => Promise.resolve(everything),
    });
    await screen.findByRole('button', { name: 'POST /v3/batchpayments' });
    const words = screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent);
    expect(words.filter((each) => /Your program to Service/.test(each ?? ''))).toEqual([
      expect.stringMatching(/POST \/v3\/batchpayments$/),
      expect.stringMatching(/same key$/),
    ]);
    expect(words.join()).not.toMatch(/Browser|Console/);
  });

  it.each([
    [{}, 'Browser to Console'],
    [{ byProgram: true as const }, 'Your program to Console'],
  ])('of a call of the console %o begins at who made it: %s (behaviour 10.20.14)', async (by, begins) => {
    server.answers['getTimeline'] = () => ({ data: [service, { ...call, ...by }] });
    renderPage(<Sequence entry={service} onOpen={vi.fn()} onSent={vi.fn()} />, {
      load: () => Promise.resolve(everything),
    });
    await screen.findByRole('button', { name: /api.batchpayments/ });
    const [first] = screen.getAllByRole('listitem', { hidden: true });
    expect(first?.textContent).toContain(begins);
  });

  it.each(['service', 'program'] as const)(
    'of a webhook about a record begins with the write that created it, by a %s (behaviour 10.20.14)',
    async (kind) => {
      const batchId = '5071c811-1f15-4fc5-a6d1-000000000009';
      const response = { headers: {}, body: JSON.stringify({ data: { batchId } }), bytes: 1 };
      const key = { 'x-idempotency-key': 'key-9' };
      const of = { kind, method: 'POST', url: 'http://s/v3/batchpayments' } as const;
      const [first, then] = ['2026-11-21T18:41:00.000Z', '2026-11-21T18:41:02.000Z'];
      const lost = timelineEntry({
        ...of,
        id: '1',
        interactionId: 'a',
        status: 0,
        at: first,
        request: { headers: key, body: '', bytes: 0 },
      });
      const retry = timelineEntry({
        ...of,
        id: '2',
        interactionId: 'b',
        status: 201,
        at: then,
        response,
        request: { headers: key, body: '', bytes: 0 },
      });
      const body = JSON.stringify({ type: 'batchUpdated', resource: { id: batchId } });
      const webhook = timelineEntry({
        id: '3',
        kind: 'webhook',
        name: 'batchUpdated',
        interactionId: 'of its own',
        at: '2026-11-21T18:41:03.000Z',
        request: { headers: {}, body, bytes: 1 },
      });
      server.answers['getTimeline'] = ({ query }) => ({
        data: matching([webhook, retry, lost], query as TimelineFilter),
      });
      renderPage(<Sequence entry={webhook} onOpen={vi.fn()} onSent={vi.fn()} />, {
        load: () => Promise.resolve(everything),
      });
      await screen.findByRole('button', { name: /same key/ });
      const asked = screen
        .getAllByRole('listitem', { hidden: true })
        .flatMap(({ textContent }) => /POST \S+|webhook/.exec(textContent ?? '') ?? []);
      expect(asked).toEqual(['POST /v3/batchpayments', 'POST /v3/batchpayments', 'webhook']);
    },
  );
});
