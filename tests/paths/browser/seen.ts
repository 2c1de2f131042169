import type { Page } from 'playwright-core';

/** Where a page has been, state by state, in order. */
export interface Seen {
  journeys: string[];
  wizards: string[];
  /** The journey that is open now, with its state and the console's; '' before the page has said so. */
  now: { journey: string; state: string; wizard: string };
  /** Whatever was seen before does not count; nor does what a page before the next one still shows. */
  forget(): void;
  /** Resolves once `done()`; rejects with what was seen after 30 s. */
  until(done: () => boolean, what: string): Promise<void>;
}

/** In ms. */
const patience = 30_000;

/** In the page: tells of each state that StepHost writes onto its section. */
function tell(isNew: boolean): void {
  type Say = (page: number, of: string, state: string, journey: string) => void;
  const report = Reflect.get(window, 'stateSeen') as Say; // `watch` below exposes it to every page
  // The time of its opening would be that of the page's clock.
  const page = Math.random();
  const names = ['data-state', 'data-wizard'];
  // A blank page, between two, has no storage.
  if (window.top === window && location.protocol !== 'about:') {
    if (isNew) {
      localStorage.clear();
      sessionStorage.clear();
    }
    report(page, 'opened', '', '');
  }
  const isHost = (node: Node): node is Element => node instanceof Element && node.hasAttribute('data-journey');
  const say = (host: Element, name: string, state: string | null) => {
    if (state !== null) report(page, name, state, host.getAttribute('data-journey') ?? '');
  };
  const hostsIn = (node: Node): Element[] =>
    node instanceof Element ? [...(isHost(node) ? [node] : []), ...node.querySelectorAll('[data-journey]')] : [];
  new MutationObserver((records) => {
    for (const [index, { type, target, attributeName, addedNodes }] of records.entries()) {
      if (type === 'childList')
        [...addedNodes]
          .flatMap(hostsIn)
          .forEach((host) => names.forEach((name) => say(host, name, host.getAttribute(name))));
      else if (attributeName && isHost(target)) {
        // Several changes may be told at once: what one made is the old value of the next.
        const next = records
          .slice(index + 1)
          .find((each) => each.target === target && each.attributeName === attributeName);
        say(target, attributeName, next ? next.oldValue : target.getAttribute(attributeName));
      }
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    attributeFilter: names,
  });
}

const nowhere = { journey: '', state: '', wizard: '' };

/**
 * Watches the page from its next opening on; nothing is asked of the server for it. Unless `isNew` is false, each opening
 * is that of a browser that was never here. `heard` is called with each state of a journey.
 */
export async function watch(page: Page, isNew = true, heard: (state: string) => void = () => undefined): Promise<Seen> {
  const waiting = new Set<() => void>();
  /** The page that counts, by a number of its own; none between two. */
  let present = NaN;
  const seen: Seen = {
    journeys: [],
    wizards: [],
    now: nowhere,
    forget() {
      seen.journeys.length = 0;
      seen.wizards.length = 0;
      seen.now = nowhere;
      present = NaN;
    },
    until: (done, what) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!done()) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${what} does not come; seen: ${seen.journeys.join(', ')}`));
        }, patience);
        waiting.add(check);
        check();
      }),
  };
  await page.exposeFunction('stateSeen', (from: number, of: string, value: string, journey: string) => {
    if (of === 'opened') {
      seen.forget();
      present = from;
    } else if (from === present) {
      const isState = of === 'data-state';
      (isState ? seen.journeys : seen.wizards).push(value);
      const { state, wizard } = seen.now.journey === journey ? seen.now : nowhere;
      seen.now = { journey, state: isState ? value : state, wizard: isState ? wizard : value };
      if (isState) heard(value);
    }
    waiting.forEach((check) => check());
  });
  await page.addInitScript(tell, isNew);
  return seen;
}
