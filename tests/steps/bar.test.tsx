// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { BottomBar } from '#app/BottomBar.tsx';
import { Bar, BarProvider } from '#steps/kit/Bar.tsx';
import { renderPage } from '#tests/support/page.tsx';

const act = (label: string) => ({ label, onPress: () => undefined });

/** The bar of a step, and of what leads on from it, in the order in which they are drawn. */
function Framed({ first }: { first: 'step' | 'onward' }) {
  const [start, setStart] = useState<HTMLElement | null>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [onward, setOnward] = useState<HTMLElement | null>(null);
  const bars = [
    <Bar key="step" leave={[act('Close')]} primary={act('Log in again')} />,
    <Bar key="onward" onward primary={act('Next: Create Account')} />,
  ];
  return (
    <>
      <BarProvider value={{ start, end, onward }}>{first === 'step' ? bars : bars.toReversed()}</BarProvider>
      <BottomBar start={setStart} end={setEnd} onward={setOnward} />
    </>
  );
}

describe('the bar of a step', () => {
  it.each(['step', 'onward'] as const)('ends with what leads on, with the %s drawn first', (first) => {
    renderPage(<Framed first={first} />, { at: '/getnetworkaccesstoken' });
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Close',
      'Log in again',
      'Next: Create Account',
    ]);
  });
});
