import { calls, type CallName } from '#contract/calls.ts';
import { dropDrafts } from './drafts.ts';
import { sessionStore } from './storage.ts';

/** Session storage key of the company that this tab's drafts belong to. */
const slot = 'scope';

let own = '';
let step = (): string => '';
let onSwitch: (by: CallName) => void = () => {};

/**
 * Sets the function that names the current step as `journey/state` ('' for none). Each call reports it to the server,
 * which stores it in the timeline.
 */
export const setStepName = (place: () => string): void => {
  step = place;
};
export const currentStep = (): string => step();

/**
 * Sets the function that is called as soon as this tab acts for another company, with the call that switched it. It is
 * called before the answer is used, whichever component made the call and whether that still exists.
 */
export const setSwitchListener = (listener: (by: CallName) => void): void => {
  onSwitch = listener;
};

/** The scope that this tab shows and acts for (contract, scopeHeader); '' until the first answer. */
export const currentScope = (): string => own;

/** Forgets the scope: the next answer comes from another console. */
export const clearScope = (): void => {
  own = '';
};

/** Sets the tab's scope, to which a call has switched. Deletes drafts of any other scope. */
function actFor(scope: string, by: CallName): void {
  if (scope === own) return;
  const isSwitch = own !== '';
  own = scope;
  if ((sessionStore().getItem(slot) ?? scope) !== scope) dropDrafts();
  sessionStore().setItem(slot, scope);
  if (isSwitch) onSwitch(by);
}

/**
 * Updates the tab's scope from the answer to the call `name`. `about` is the scope of the answer, `asked` that of the
 * call ('' for the current one). Returns false if a read without a scope returned another one than this tab's; it must be repeated.
 */
export function syncCompany(name: CallName, about: string, asked: string): boolean {
  if (about === '' || about === asked) return true;
  if (calls[name].method === 'GET' && own !== '') return about === own;
  actFor(about, name);
  return true;
}
