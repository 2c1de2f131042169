// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { ErrorBoundary } from '#app/frame/ErrorBoundary.tsx';
import { expectPrinted } from '#tests/support/consoleOutput.ts';
import { renderPage } from '#tests/support/page.tsx';

function Entry() {
  const { search } = useLocation();
  if (search === '?entry=broken') throw new Error('This entry cannot be drawn.');
  return <p>Entry {search}</p>;
}

function Page({ heading }: { heading?: 'h3' }) {
  const { search } = useLocation();
  return (
    <>
      <h1>Timeline</h1>
      <Link to="/list?entry=sound">Another entry</Link>
      <ErrorBoundary shows={search} {...(heading && { heading })}>
        <Entry />
      </ErrorBoundary>
    </>
  );
}

it('a part of the page that failed is drawn again when only the query of the address changes', async () => {
  expectPrinted(/This entry cannot be drawn/);
  renderPage(<Page heading="h3" />, { at: '/list?entry=broken' });
  expect(screen.getByRole('alert').textContent).toContain('Unexpected Application Error');
  await userEvent.click(screen.getByRole('link', { name: 'Another entry' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('Entry ?entry=sound')).toBeTruthy();
});

it('a part beside the page’s heading that fails adds no second h1', () => {
  expectPrinted(/This entry cannot be drawn/);
  renderPage(<Page heading="h3" />, { at: '/list?entry=broken' });
  expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['Timeline']);
});
