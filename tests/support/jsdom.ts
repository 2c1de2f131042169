import * as react from 'react';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { flawsPrinted, watchPrinted } from './consoleOutput.ts';
import { ignoreRules } from './styles.ts';

// Page tests must not access the network.
vi.mock('#app/client/client.ts', async () => ({ call: (await import('./fakeCalls.ts')).call }));

watchPrinted();
// Hooks run in reverse order, so output printed by the other hooks' clean-up is checked as well.
afterEach(() => expect(flawsPrinted()).toEqual([]));

// On a busy machine, loading code on demand takes longer than the default of one second.
configure({ asyncUtilTimeout: 10_000 });

// React keeps of each element where it was made, up to 10,000 a second. Told that there are more, it saves an eighth of the time.
const shared = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object; // in all builds
Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', { configurable: true, get: () => Infinity, set() {} });

/**
 * Browser features that jsdom lacks: modal dialogs, which return the focus, media queries (reduced motion is on), scrolling, resize observers.
 */
const openers = new WeakMap<HTMLDialogElement, Element | null>();
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
    openers.set(this, document.activeElement);
  },
  close(this: HTMLDialogElement) {
    this.open = false;
    const opener = openers.get(this);
    if (opener instanceof HTMLElement) opener.focus();
  },
});
vi.stubGlobal('matchMedia', (query: string) =>
  Object.assign(new EventTarget(), { matches: query.includes('reduced-motion') }),
);
Element.prototype.scrollIntoView = () => {};
ignoreRules(document.defaultView!); // the document is shown
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

// The files of a worker share the modules of the page, and with them the fake server and the connection.
afterAll(async () => {
  const [{ server }, { connection }] = await Promise.all([
    import('./fakeCalls.ts'),
    import('#app/client/connection.ts'),
  ]);
  Object.assign(server, { made: [], answers: {} });
  connection.send({ type: 'reading.refused' }); // closes it: it may await a timer of a clock that no longer runs
  // Code that a page has begun to load cannot be loaded once the environment of this file is gone.
  await vi.dynamicImportSettled();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
});
