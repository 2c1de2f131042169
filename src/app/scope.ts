import { dropDrafts } from './drafts.ts';

/** Where a tab keeps which company its drafts are for. */
const slot = 'scope';

let own = '';
let step = (): string => '';

/** Calls are made for the step that `place` names, as `journey/state`, '' for none: the server's timeline says so. */
export const callFor = (place: () => string): void => {
  step = place;
};
export const stepNow = (): string => step();

/** The company that this tab shows and acts for (contract, scopeHeader); '' until something of it was read. */
export const scopeNow = (): string => own;

/** From now on this tab acts for that company. What was typed for another one is dropped. */
function actFor(scope: string): void {
  if (scope === own) return;
  own = scope;
  if ((sessionStorage.getItem(slot) ?? scope) !== scope) dropDrafts();
  sessionStorage.setItem(slot, scope);
}

/**
 * Learns from an answer which company it is about; `asked` is the one that the call was for, '' for the current one.
 * False if a reading that named none is about another company than this tab's: it has to be repeated.
 */
export function learnScope(about: string, asked: string, reads: boolean): boolean {
  if (about === '' || about === asked) return true;
  if (reads && own !== '') return about === own;
  actFor(about);
  return true;
}
