// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SituationFile } from '#app/lab/SituationFile.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

/** jsdom's File lacks arrayBuffer(). */
const fileOf = (text: string) =>
  Object.assign(new File([text], 'moment.json', { type: 'application/json' }), {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
  });

beforeEach(() => {
  server.made.length = 0;
  server.answers = {};
});

describe('The section of situation files', () => {
  it('saves by a download, and asks before a file replaces the sandbox (behaviour 10.27.1)', async () => {
    renderPage(<SituationFile />);
    const save = await screen.findByRole('link', { name: 'Save situation' });
    await vi.waitFor(() => expect(save.getAttribute('href')).toBe('/api/situation?step=%2Fcreateorganisation'));
    await userEvent.upload(screen.getByLabelText('Open situation'), fileOf('{}'));
    expect(
      screen.getByText(/Everything in your sandbox is replaced by what is in moment\.json, and the company/),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(requests('openSituation')).toEqual([]);
  });

  it.each([
    ['is no JSON', 'nonsense', () => ({})],
    [
      'the console refuses',
      '{"kind":"recipe"}',
      () => Promise.reject({ ...failure, errors: [{ path: 'version', message: '1: no other' }] }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    ],
  ])('says why a file that %s was not opened (behaviour 10.27.3)', async (_, text, answer) => {
    server.answers = { openSituation: answer };
    renderPage(<SituationFile />);
    await userEvent.upload(await screen.findByLabelText('Open situation'), fileOf(text));
    await userEvent.click(screen.getByRole('button', { name: 'Open situation' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The situation was not opened\. .{10,}/);
  });
});
