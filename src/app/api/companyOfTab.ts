import { dropDrafts } from '../step/drafts.ts';
import { sessionStore } from './storage.ts';

/** Session storage key of the company that this tab's drafts belong to. */
const slot = 'scope';

let own = '';
let step = (): string => '';

/**
 * Sets the function that names the current step as `journey/state` ('' for none). Each call reports it to the server,
 * which stores it in the timeline.
 */
export const setStepName = (place: () => string): void => {
  step = place;
};
export const currentStep = (): string => step();

/** The scope that this tab shows and acts for (contract, scopeHeader); '' until the first answer. */
export const currentScope = (): string => own;

/** Forgets the scope: the next answer comes from another console. */
export const clearScope = (): void => {
  own = '';
};

/** Sets the tab's scope. Deletes drafts of any other scope. */
function actFor(scope: string): void {
  if (scope === own) return;
  own = scope;
  if ((sessionStore().getItem(slot) ?? scope) !== scope) dropDrafts();
  sessionStore().setItem(slot, scope);
}

/**
 * Updates the tab's scope from an answer. `about` is the scope of the answer, `asked` that of the call ('' for the
 * current one). Returns false if a read without a scope returned another one than this tab's; it must be repeated.
 */
export function syncCompany(about: string, asked: string, reads: boolean): boolean {
  if (about === '' || about === asked) return true;
  if (reads && own !== '') return about === own;
  actFor(about);
  return true;
}
