// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { noFilter, type Filter } from '#app/tools/timeline/timelineFilter.ts';
import { Workbench } from '#app/tools/timeline/Workbench.tsx';
import { renderPage } from '#tests/support/page.tsx';

it.each<[string, Partial<Filter>, RegExp]>([
  ['calls of the service only', {}, /^No calls of this kind yet\./],
  ['all but background reads', { segment: 'all' }, /^No calls of this kind yet\./],
  ['everything', { segment: 'all', reads: true }, /^No calls yet\./],
  ['a search text', { find: 'x' }, /^No entry matches\./],
])('an empty timeline shows a message that fits its filter: %s', async (_, look, words) => {
  renderPage(<Workbench look={{ ...noFilter, ...look }} onLook={vi.fn()} heading={null} />);
  expect(await screen.findByText(words)).toBeDefined();
});
