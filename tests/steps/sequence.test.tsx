// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { scopeHeader } from '#contract/constants.ts';
import { Sequence } from '#app/timeline/Sequence.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const interactionId = 'interaction-1';
const own = { interactionId, name: 'createBatch', method: 'POST', at: '2026-11-21T18:41:00.000Z', ms: 40 };
const call = timelineEntry({
  ...own,
  ...{ id: '1', kind: 'call', url: '/api/batchpayments', status: 200 },
  request: { headers: { [scopeHeader]: 'scope', 'idempotency-key': 'key' }, body: '{}', bytes: 2 },
});
const service = timelineEntry({ ...own, id: '2', kind: 'service', url: 'http://s/v3/batchpayments', status: 201 });

beforeEach(() => {
  server.made.length = 0;
  server.answers = {
    getTimeline: () => ({ data: [service, call] }),
    setFault: () => ({ data: {} }),
    repeatCall: () => ({ data: { entry: { ...call, id: '9' }, replayed: false } }),
  };
});

describe('a sequence diagram', () => {
  it('takes a fault at a chosen arrow, and sends the call again with it under a new key after a confirmation (behaviour 10.20.14)', async () => {
    const onSent = vi.fn();
    renderPage(<Sequence interactionId={interactionId} onOpen={vi.fn()} onSent={onSent} />, {
      load: () => Promise.resolve(everything),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'POST /v3/batchpayments' }));
    await userEvent.click(screen.getByRole('combobox', { name: 'Fault' }));
    await userEvent.click(await screen.findByRole('option', { name: 'lose the response' }));
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
    expect(requests('repeatCall')).toMatchObject([{ params: { entryId: '1' }, body: { key: 'new' } }]);
  });
});
