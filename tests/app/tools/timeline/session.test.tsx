// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aroundIn } from '#app/tools/timeline/around.ts';
import { Detail } from '#app/tools/timeline/Detail.tsx';
import { Exchange } from '#app/tools/timeline/Exchange.tsx';
import { SessionDrop } from '#app/tools/timeline/SessionDrop.tsx';
import { noFilter } from '#app/tools/timeline/timelineFilter.ts';
import { header } from '#contract/requests/headers.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const har = JSON.stringify({
  log: {
    entries: [
      {
        startedDateTime: '2026-01-31T09:00:00Z',
        request: { method: 'GET', url: 'https://service.example/v3/banks', headers: [] },
        response: { status: 200, headers: [], content: { text: '{"data":[]}' } },
      },
    ],
  },
});
/** jsdom's File lacks arrayBuffer(). */
const fileOf = (text: string) =>
  Object.assign(new File([text], 'calls.har', { type: 'application/json' }), {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
  });
const render = (isSandbox = true) =>
  renderPage(
    <SessionDrop isSandbox={isSandbox}>
      {(onFile) => (
        <>
          <p>The timeline</p>
          <Exchange look={noFilter} onFile={onFile} />
        </>
      )}
    </SessionDrop>,
  );

beforeEach(() => {
  server.made.length = 0;
  server.answers = {};
});

describe('A HAR file on the timeline', () => {
  it('is shown as a read-only session when it is dropped, and nothing of it can be sent (behaviour 10.25.5)', async () => {
    render();
    fireEvent.drop(screen.getByText('The timeline'), { dataTransfer: { files: [fileOf(har)] } });
    expect(await screen.findByText(/^Read-only session from calls\.har: 1 entry\./)).toBeTruthy();
    expect(screen.queryByText('The timeline')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /v3\/banks/ }));
    expect(screen.getByText('200 OK')).toBeTruthy();
    await userEvent.click(screen.getByRole('tab', { name: 'Response' }));
    expect(screen.getByRole('region', { name: 'Response' }).textContent).toContain('data');
    expect(screen.queryByRole('button', { name: /Send again|Set as fault/ })).toBeNull();
    expect(requests('getDrift')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Close the session' }));
    expect(screen.getByText('The timeline')).toBeTruthy();
  });

  it('is filtered by kind and text as the timeline is (behaviour 10.25.5)', async () => {
    render();
    fireEvent.drop(screen.getByText('The timeline'), { dataTransfer: { files: [fileOf(har)] } });
    expect(await screen.findByRole('button', { name: /v3\/banks/ })).toBeTruthy();
    await userEvent.type(screen.getByRole('searchbox'), 'batches');
    expect(await screen.findByText('No entry matches.')).toBeTruthy();
    await userEvent.clear(screen.getByRole('searchbox'));
    expect(await screen.findByRole('button', { name: /v3\/banks/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Webhooks/ }));
    expect(screen.queryByRole('button', { name: /v3\/banks/ })).toBeNull();
  });

  it('is refused with what is wrong when it is none, and the timeline stays (behaviour 10.25.5)', async () => {
    render();
    await userEvent.upload(screen.getByLabelText(/^Open a HAR file/), fileOf('{"log":{}}'));
    expect((await screen.findByRole('alert')).textContent).toContain('log.entries is missing: give a list');
    expect(screen.getByText('The timeline')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Back to the timeline' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is refused where the service is live (behaviour 10.25.5)', async () => {
    render(false);
    await userEvent.upload(screen.getByLabelText(/^Open a HAR file/), fileOf(har));
    expect((await screen.findByRole('alert')).textContent).toContain('This console uses a live service');
  });
});

describe('An opened entry', () => {
  const headers = { [header.idempotency]: '5b0c91de-0000-4000-8000-0000000077a1' };
  const call = (id: string, more: object) =>
    timelineEntry({ id, kind: 'service', method: 'POST', interactionId: 'i-1', request: { headers, body: '{"a":1}', bytes: 7 }, ...more }); // prettier-ignore
  const lost = call('1', { status: 0, ms: 2000 });
  const repeat = call('2', { status: 201, ms: 42 });
  const hook = timelineEntry({ id: '3', kind: 'webhook', name: 'batchUpdated', interactionId: 'i-1', status: 204 });
  const open = (entry: typeof lost, onOpen = vi.fn()) => {
    renderPage(<Detail entry={entry} around={aroundIn(entry, [hook, repeat, lost])} ofFile onOpen={onOpen} />);
    return onOpen;
  };

  it('shows its body first, with headers folded, and in tabs what belongs to it (behaviour 10.17.15)', async () => {
    open(repeat);
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Request', 'Response', 'Code', 'Related 2']),
    );
    const text = screen.getByRole('region', { name: 'Request' }).textContent ?? '';
    expect(text.indexOf('"a"')).toBeLessThan(text.indexOf('1 header'));
    await userEvent.click(screen.getByRole('tab', { name: 'Related 2' }));
    expect(screen.getAllByText(/batchUpdated/)).toHaveLength(1);
  });

  it('lists the calls under its idempotency key, each with its outcome (behaviour 10.17.15)', async () => {
    const onOpen = open(repeat);
    const first = screen.getByRole('button', { name: /1 of 2: none, 2\.0 s/ });
    expect(screen.getByRole('button', { name: /2 of 2: 201, 42 ms/ }).getAttribute('aria-current')).toBe('true');
    await userEvent.click(first);
    expect(onOpen).toHaveBeenCalledWith('1');
  });
});
