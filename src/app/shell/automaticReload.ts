import { sessionStore, outlastsReload } from '../api/storage.ts';

/** Storage key: this tab's page has already reloaded itself. */
const slot = 'reloaded';

/** Whether the user opened this page, in contrast to a page that was reloaded; false if the browser does not say. */
function isOpenedByUser(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]; // entries of that type
  return navigation?.type === 'navigate';
}

function claim(): boolean {
  if (!isOpenedByUser() && sessionStore().getItem(slot) !== null) return false;
  sessionStore().setItem(slot, 'true');
  return outlastsReload(slot);
}

let claimed: boolean | undefined;

/**
 * Claims the one automatic reload of a page that the user has opened; returns whether the page may reload itself. A
 * reloaded page never reloads itself again: a chunk that hangs or is missing would be requested without end. The claim
 * is in the tab's session storage; where the browser stores nothing, there is no automatic reload.
 */
export const claimReload = (): boolean => (claimed ??= claim());
