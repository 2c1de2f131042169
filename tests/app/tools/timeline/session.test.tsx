// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { SessionDrop } from '#app/tools/timeline/SessionDrop.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { renderPage } from '#tests/support/page.tsx';

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
      <p>The timeline</p>
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
    expect(screen.getByRole('region', { name: 'Response' }).textContent).toContain('200');
    expect(screen.queryByRole('button', { name: /Send again|Set as fault/ })).toBeNull();
    expect(requests('getDrift')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Close the session' }));
    expect(screen.getByText('The timeline')).toBeTruthy();
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
