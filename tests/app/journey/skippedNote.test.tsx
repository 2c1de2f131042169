// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noteAnswer } from '#app/client/skippedParts.ts';
import { SkippedNote } from '#app/journey/SkippedNote.tsx';
import { renderPage } from '#tests/support/page.tsx';

const answered = (path: string, response: unknown) => act(() => noteAnswer(`GET ${path}`, response));

it('lists what was not understood in the latest responses of the page’s calls', () => {
  const skipped = [{ path: 'data.1', message: 'is missing' }];
  answered('/api/providers', { data: [], skipped });
  renderPage(<SkippedNote />);
  expect(screen.queryByRole('note')).toBeNull();

  answered('/api/providers', { data: [], skipped: [{ path: 'data.2', message: 'is a list, a text was expected' }] });
  answered('/api/banks', { data: [], skipped });
  const note = screen.getByRole('note', { name: 'Unreadable parts of responses' });
  expect(note.textContent).toContain('2 parts of the service’s responses could not be read');
  expect(
    within(note)
      .getAllByRole('listitem', { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual(['GET /api/providers: data.2 is a list, a text was expected', 'GET /api/banks: data.1 is missing']);

  answered('/api/providers', { data: [] });
  answered('/api/banks', 'text');
  expect(screen.queryByRole('note')).toBeNull();
});
