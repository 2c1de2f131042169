import { cleanup, configure } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
import { flawsPrinted, watchPrinted } from './printed.ts';

// No test of a page reaches a network.
vi.mock('#app/client.ts', async () => ({ call: (await import('./answers.ts')).call }));

watchPrinted();
// Hooks run the last one first: what is printed while the others clear away counts.
afterEach(() => expect(flawsPrinted()).toEqual([]));

// What is loaded on demand takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** What jsdom lacks of a browser: modal dialogs, media queries (here: no motion is wanted), scrolling, observed sizes. */
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});
vi.stubGlobal('matchMedia', (query: string) =>
  Object.assign(new EventTarget(), { matches: query.includes('reduced-motion') }),
);
Element.prototype.scrollIntoView = () => {};
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
});
