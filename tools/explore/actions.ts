import {
  actions,
  extract,
  getFingerprint,
  weighted,
  type ActionTemplate,
  type Fingerprint,
} from '@antithesishq/bombadil/browser';
import {
  back,
  clicks,
  forward,
  lastAction,
  reload,
  scroll,
  waitOnce,
} from '@antithesishq/bombadil/browser/defaults/actions';
import type { Cell, Tree } from '@antithesishq/bombadil';
import { typedIn } from './shown.ts';

/** What nobody presses here: it takes everything away that there is to explore. */
const never = /^(Empty|Start over|Remove|Sign out)/;

/** Whether something is typed that back and forward must keep. */
const hasTyped = extract(({ document }) => Object.keys(typedIn(document)).length > 0);

/** What can be pressed, by kind, with how often that is tried: what leads on more often than what leads away. */
const kinds: readonly [number, string, RegExp?][] = [
  [12, 'main button', /^Fill with example/],
  [8, '#step-bar > :last-child button, #step-bar > :last-child a, dialog a, dialog button'],
  [4, 'main button'],
  [5, '[role=option]'],
  [3, 'main input[type=checkbox]'],
  [
    3,
    'main a[href^="/electronicpayments"], main a[href^="/filepayments"], main a[href^="/getbatch"], main a[href^="/paymentlist"]',
  ],
  [2, 'main input[role=combobox]'],
  [14, 'main form input[type=text]:not([role=combobox]), main form textarea'],
  [4, 'main a[href*="reditor"], main a[href*="ebtor"], main a[href*="create"]'],
  [2, 'main a, header a, header button'],
  [1, '#step-bar > :first-child button'],
];

interface Press {
  fingerprint: Fingerprint;
  point: { x: number; y: number };
}

/** What of each kind can be pressed now. */
const presses = extract(({ document, window }) =>
  kinds.map(([, selector, text = /^/]) =>
    [...document.querySelectorAll(selector)].flatMap((element) => {
      if (!text.test(element.textContent)) return [];
      const { left, top, width, height } = element.getBoundingClientRect();
      const point = { x: left + width / 2, y: top + height / 2 };
      const isOwn =
        !(element instanceof HTMLAnchorElement) ||
        (element.origin === window.location.origin && element.target === '' && !element.hasAttribute('download'));
      // What is covered would be something else.
      const onTop = width > 0 ? document.elementFromPoint(point.x, point.y) : null;
      return isOwn && onTop && (element.contains(onTop) || onTop.contains(element))
        ? [{ fingerprint: getFingerprint(element), point }]
        : [];
    }),
  ),
) as Cell<Press[][]>; // what is returned above

const isTyping = extract(({ document }) => {
  const element = document.activeElement;
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && ['text', 'search', 'password'].includes(element.type);
});

const without = (tree: Tree<ActionTemplate>): Tree<ActionTemplate> => {
  if ('branches' in tree) return { branches: tree.branches.map(([weight, branch]) => [weight, without(branch)]) };
  const { value } = tree;
  const text = typeof value === 'object' && 'Click' in value ? value.Click.fingerprint.textContent : null;
  return text !== null && never.test(text.trim()) ? { branches: [] } : tree;
};

const safeClicks = actions(() => without(clicks.generate()));
const leaves = (found: readonly Press[]): Tree<ActionTemplate> => ({
  branches: found.map((Click): [number, Tree<ActionTemplate>] => [1, { value: { Click } }]),
});
const knownClicks = actions(() =>
  without({
    branches: kinds.map(([often], index): [number, Tree<ActionTemplate>] => [
      often,
      leaves(presses.current[index] ?? []),
    ]),
  }),
);

/** Names, of which some are magic (docs/sandbox.md), amounts, and whatever else there is. */
const words = '(Ash|Holly|Rowan) (Ltd|Ltd|fails|approval|holds|webhook-twice|webhook-late|refuses|authorise)';
const amounts = '(12[.]50|9001[.]00|9002[.]00|9429[.]00|9503[.]00)';
const delayMillis: [number, number] = [0, 2];
const typing = weighted([
  [4, { TypeText: { text: { Regexp: words }, delayMillis } }],
  [2, { TypeText: { text: { Regexp: amounts }, delayMillis } }],
  [2, { TypeText: { text: { Text: [1, 12] }, delayMillis } }],
  [1, { TypeText: { text: 'Email', delayMillis } }],
]);
/** Backspace, Tab, Enter, Escape, arrow up and down. */
const keys = weighted([8, 9, 13, 27, 38, 40].map((code): [number, ActionTemplate] => [1, { PressKey: { code } }]));
const inputs = actions(() =>
  isTyping.current
    ? weighted([
        [3, typing],
        [2, keys],
      ]).generate()
    : { branches: [] },
);

const sizes = weighted(
  [320, 390, 768, 1024, 1440].map((width): [number, ActionTemplate] => [1, { SetViewport: { width, height: 900 } }]),
);

const anything = weighted([
  [40, knownClicks],
  [4, safeClicks],
  [30, inputs],
  [1, back],
  [1, forward],
  [1, reload],
  [4, scroll],
  [2, waitOnce],
  [1, sizes],
]);

/** Whatever the page offers; after typing often back, and after back always forward, and a second to arrive. */
export const exploring = actions(() => {
  if (lastAction.current === 'Back')
    return weighted([
      [1000, forward],
      [1, anything],
    ]).generate();
  if (lastAction.current === 'Forward') return ['Wait'];
  return hasTyped.current
    ? weighted([
        [1, back],
        [2, anything],
      ]).generate()
    : anything.generate();
});
