/**
 * What holds of the console while Bombadil explores it (README.md). It runs in the explored page and in Bombadil's own
 * interpreter, so it imports nothing of Node and no alias.
 */
import { always, eventually, next, now } from '@antithesishq/bombadil';
import { extract } from '@antithesishq/bombadil/browser';
import { lastAction } from '@antithesishq/bombadil/browser/defaults/actions';
import { closedWays, contradictions, isKnown, lostFrom, wrongAt, wronglyPaid } from './judged.ts';
import { fieldsIn, shownIn, typedIn, type Shown } from './shown.ts';
import type { Held, Truth } from './truth.ts';

export {
  noConsoleErrors,
  noUncaughtExceptions,
  noUnhandledPromiseRejections,
} from '@antithesishq/bombadil/browser/defaults/properties';
export { exploring } from './actions.ts';

/** How long (s) a page may be without its code, and how long it may be busy: longer than it waits for an answer. */
const [lag, patience] = [10, 60];

/** What was seen of a page, to be judged once it is known what was so then. */
interface Seen {
  at: number;
  path: string;
  shown: Shown;
}

/** Kept on the page: what was last heard of what is so, and what was seen meanwhile. */
interface Hearing {
  explored?: { history: Held[]; asks: boolean; seen: Seen[] };
}

/** Asks what is so; heard by the next state, because the page rests while one is taken. Answered for console pages alone. */
function hear(window: Window & Hearing) {
  const heard = (window.explored ??= { history: [], asks: false, seen: [] });
  if (!heard.asks) {
    heard.asks = true;
    void fetch('/explore/truth')
      .then(async (answer) => {
        if (answer.ok) heard.history = (await answer.json()) as Held[]; // of through.ts
      })
      .catch(() => undefined)
      .finally(() => (heard.asks = false));
  }
  return heard;
}

/** For how long (ms) the tab has been busy whenever it was looked at, also over loading the page again. */
function busyFor({ sessionStorage }: Window, isBusy: boolean): number {
  const key = 'explored.busySince';
  if (!isBusy) sessionStorage.removeItem(key);
  else if (sessionStorage.getItem(key) === null) sessionStorage.setItem(key, String(Date.now()));
  return Date.now() - Number(sessionStorage.getItem(key) ?? Date.now());
}

/** What a page shows now, and what was wrong with what it showed shortly before; null until it is known what is so. */
const page = extract(({ document, window }) => {
  const heard = hear(window);
  const { history } = heard;
  if (history.length === 0) return null;
  const shown = shownIn(document);
  const path = window.location.pathname + window.location.search;
  const seen: Seen[] = [...heard.seen, { at: Date.now(), path, shown }];
  const ripe = seen.filter(({ at }) => isKnown(at, history));
  heard.seen = seen.slice(ripe.length);
  const wrong = (find: (shown: Shown, truth: Truth) => string[]): string[] => [
    ...new Set(
      ripe.flatMap((each) =>
        wrongAt(each.at, history, (truth) => find(each.shown, truth)).map((found) => `${each.path}: ${found}`),
      ),
    ),
  ];
  return {
    path,
    headings: shown.headings,
    tooWide: shown.tooWide,
    busy: shown.busy,
    busyFor: busyFor(window, shown.busy),
    says: {
      bar: shown.bar !== null,
      workspace: shown.workspace !== null,
      gate: shown.gate?.title ?? '',
      batches: shown.batches.length,
      paid: shown.paid.length,
    },
    wronglyPaid: wrong(wronglyPaid),
    closedWays: wrong(closedWays),
    contradictions: wrong(contradictions),
    typed: typedIn(document),
    fields: fieldsIn(document),
  };
});

export const oneHeading = always(
  now(() => (page.current?.headings ?? 1) <= 1).and(
    eventually(() => page.current?.headings === 1).within(lag, 'seconds'),
  ),
);
export const noSidewaysScroll = always(() => (page.current?.tooWide ?? 0) === 0);
export const busyEnds = always(() => (page.current?.busyFor ?? 0) <= patience * 1000);
export const whatIsCalledPaidIsOnceUpstream = always(() => (page.current?.wronglyPaid ?? []).length === 0);
export const aGateNamesAWayThatIsOpen = always(() => (page.current?.closedWays ?? []).length === 0);
export const noPageContradictsTheFacts = always(() => (page.current?.contradictions ?? []).length === 0);

/** Back and forward at once: each field that is there again has what was typed. */
export const nothingTypedIsLost = always(() => {
  const before = page.current;
  if (!before || before.busy || Object.keys(before.typed).length === 0) return now(() => true);
  // A busy form shows what is sent, which may be something else.
  const kept = () =>
    page.current?.path !== before.path ||
    page.current.busy ||
    lostFrom(before.typed, page.current.typed, page.current.fields).length === 0;
  const after = (action: string) => now(() => lastAction.current === action);
  return next(after('Back').implies(next(after('Forward').implies(now(kept).and(next(after('Wait').implies(kept)))))));
});
