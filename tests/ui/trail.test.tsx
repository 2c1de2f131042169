// @vitest-environment jsdom
import { ChakraProvider } from '@chakra-ui/react';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { system } from '#app/theme/system.ts';
import { Trail, type TrailEvent } from '#ui/Trail.tsx';

const wrapper = ({ children }: { children: ReactNode }) => <ChakraProvider value={system}>{children}</ChakraProvider>;

const eventsOf = (...ids: string[]): TrailEvent[] => ids.map((id, at) => ({ id, at, what: id, how: '', tone: 'done' }));

/** The texts of the elements that have been moved, in their order. */
function movedElements({ reduced }: { reduced: boolean }): () => string[] {
  const moved: string[] = [];
  const animate = vi.fn(function (this: Element) {
    moved.push(this.querySelector('div + div')?.textContent ?? '');
    return { finished: Promise.resolve(), cancel() {}, commitStyles() {}, finish() {}, play() {} };
  });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced, addEventListener() {}, removeEventListener() {} }));
  Element.prototype.animate = animate as unknown as Element['animate']; // as much as is used
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(Element.prototype, 'animate');
  });
  return () => [...new Set(moved)];
}

it('a history slides in the events that happen while it is shown, and no others', () => {
  const moved = movedElements({ reduced: false });
  const { rerender } = render(<Trail label="History" events={eventsOf('Accepted')} />, { wrapper });
  expect(moved()).toEqual([]);
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Processing')} />);
  expect(moved()).toEqual(['Processing']);
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Processing', 'Completed')} />);
  expect(moved()).toEqual(['Processing', 'Completed']);
});

it('a history moves nothing for a user who prefers reduced motion', () => {
  const moved = movedElements({ reduced: true });
  const { rerender } = render(<Trail label="History" events={eventsOf('Accepted')} />, { wrapper });
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Completed')} />);
  expect(moved()).toEqual([]);
});
