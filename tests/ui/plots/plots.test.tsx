// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { ChakraProvider } from '@chakra-ui/react';
import { describe, expect, it } from 'vitest';
import { system } from '#app/theme/system.ts';
import { Course } from '#ui/plots/Course.tsx';
import { heightOf, runsOf } from '#ui/plots/Latency.tsx';
import { lifeOf } from '#ui/plots/Life.tsx';
import { drawnParts, Money } from '#ui/plots/Money.tsx';

const draw = (plot: React.ReactNode) => render(<ChakraProvider value={system}>{plot}</ChakraProvider>);

describe('the line of a history', () => {
  it('says in a sentence what was reached, and after how long', () => {
    const states = [
      { id: '1', at: 1000, what: 'Sent', tone: 'done' as const },
      { id: '2', at: 1042, what: 'Received', tone: 'done' as const },
      { id: '3', at: 2930, what: 'PartiallyCompleted', tone: 'partial' as const },
    ];
    draw(<Course states={states} open={false} />);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'Sent; Received after 42 ms; PartiallyCompleted after 1.93 s',
    );
  });

  it('is absent for a single state', () => {
    draw(<Course states={[{ id: '1', at: 0, what: 'Sent', tone: 'done' }]} open />);
    expect(screen.queryByRole('img')).toBeNull();
  });
});

describe('the plot of latencies', () => {
  it('has a logarithmic scale from 1 ms to 10 s, which nothing leaves', () => {
    expect([0, 1, 10, 1000, 10_000, 1e9].map(heightOf)).toEqual([0, 0, 0.25, 0.75, 1, 1]);
  });

  it('draws no line over a span without an answer', () => {
    const spread = { median: 10, p95: 20 };
    const runs = runsOf([spread, undefined, spread, spread, undefined]);
    expect(runs.map((run) => run.map(({ index }) => index))).toEqual([[0], [2, 3]]);
  });
});

describe('the bar of an amount', () => {
  it('has a part for each payment, paid ones first and the larger ones before', () => {
    const parts = [
      { amount: 10, outcome: 'failed' as const },
      { amount: 5, outcome: 'paid' as const },
      { amount: 7, outcome: 'paid' as const },
      { amount: 90, outcome: 'open' as const },
    ];
    expect(drawnParts(parts).map(({ amount }) => amount)).toEqual([7, 5, 90, 10]);
  });

  it('has one part for each outcome if there are more than sixty', () => {
    const parts = Array.from({ length: 61 }, (_, index) => ({ amount: 2, outcome: index < 60 ? ('paid' as const) : ('failed' as const) })); // prettier-ignore
    expect(drawnParts(parts)).toMatchObject([
      { outcome: 'paid', amount: 120 },
      { outcome: 'failed', amount: 2 },
    ]);
  });

  it.each([[[0, 0]], [[0.004, 0.001]], [[1e15, 1]]])(
    'is as wide as its place whatever the amounts %j are',
    (amounts) => {
      draw(<Money label="2 paid" height="4" parts={amounts.map((amount) => ({ amount, outcome: 'paid' }))} />);
      const grown = [...screen.getByRole('img', { name: '2 paid' }).children].map((part) => Number((part as HTMLElement).style.flexGrow)); // prettier-ignore
      expect(grown.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(1);
    },
  );
});

describe('the life of a token', () => {
  const [from, to] = [Date.parse('2026-11-28T16:00:00Z'), Date.parse('2026-11-28T17:00:00Z')];

  it.each([
    ['is half over', from + 30 * 60_000, 'Expires in 30 min', /30 of 60 minutes left$/, 0.5, 'next'],
    ['is about to end', to - 240_000, 'Expires in 4 min', /4 of 60 minutes left$/, 4 / 60, 'waiting'],
    ['is over', to + 1, 'Expired', /^Expired at /, 0, 'failed'],
    ['begins later by the clock here', from - 600_000, 'Expires in 70 min', /60 of 60 minutes left$/, 1, 'next'],
  ] as const)('that %s', (_, now, title, label, share, tone) => {
    const life = lifeOf(from, to, now);
    expect(life).toMatchObject({ title, share, tone });
    expect(life.label).toMatch(label);
  });

  it('is unknown where the service gave no expiry', () => {
    expect(lifeOf(from, NaN, from).title).toBe('Expiry unknown');
  });

  it('says how much is left where the service gave no beginning', () => {
    expect(lifeOf(NaN, to, from).label).toMatch(/; 60 minutes left$/);
  });
});
