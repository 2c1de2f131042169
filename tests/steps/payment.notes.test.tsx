// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { pick } from '#tests/support/gestures.ts';
import { electronic } from './electronic.ts';

it('the form of a payment speaks of a day on which its scheme does not process, and offers the next one (behaviour 9.16)', async () => {
  const { user } = await electronic({ instrument: 'Bacs Direct Credit', today: '2026-12-27' });
  await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
  await screen.findByText(/Bacs does not process on Sunday 27 December\. Its next day is Tuesday 29 December\./);
  expect(screen.getByLabelText<HTMLInputElement>('Execution date').value).toBe('2026-12-27');
  await user.click(screen.getByRole('button', { name: 'Use Tuesday 29 December' }));
  expect(screen.getByLabelText<HTMLInputElement>('Execution date').value).toBe('2026-12-29');
  expect(screen.queryByText(/does not process/)).toBeNull();
});
