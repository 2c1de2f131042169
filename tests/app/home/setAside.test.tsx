import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Home } from '#app/home/Home.tsx';
import { everything, withFacts } from '#tests/support/facts.ts';
import { minuteText } from '#ui/dates.ts';
import { renderPage } from '#tests/support/page.tsx';

const record = (id: string) => ({ kind: 'creditors', id, at: '2030-01-01T00:00:00.000Z' });
const name = 'Records that cannot be read';

async function noteOn(total: number, ...ids: string[]) {
  const facts = withFacts(everything, { setAside: { total, latest: ids.map(record) } });
  renderPage(<Home />, { at: '/', load: () => Promise.resolve(facts) });
  await screen.findByRole('heading', { name: 'Usage notes' });
  if (total > 0) await screen.findByRole('note', { name });
  return screen.queryByRole('note', { name })?.textContent;
}

describe('records that were quarantined', () => {
  it('are listed on the home page with the consequence (threat 7.11)', async () => {
    const note = await noteOn(1, 'one');
    expect(note).toContain('One record of this console could not be read and was quarantined');
    expect(note).toContain('Before you pay again');
    expect(note).toContain(`creditors one, ${minuteText(new Date('2030-01-01T00:00:00.000Z'))}`);
  });

  it('are counted where they are too many to be named', async () => {
    const note = await noteOn(3000, 'a', 'b');
    expect(note).toContain('3000 records of this console could not be read and were quarantined');
    expect(note).toContain('the latest 2');
  });
});
