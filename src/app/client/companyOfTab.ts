import { calls, type CallName } from '#contract/calls.ts';
import { dropDrafts } from './drafts.ts';
import { sessionStore } from './storage.ts';

/** Session storage key of the company that this tab's drafts belong to. */
const slot = 'companyKey';

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

/** The company that this tab shows and acts for (contract, companyHeader); '' until the first answer. */
export const currentCompany = (): string => own;

/** Forgets the company: the next answer comes from another console. */
export const clearCompany = (): void => {
  own = '';
};

/** Sets the tab's company, to which a call has switched. Deletes drafts of any other company. */
function actFor(companyKey: string, by: CallName): void {
  if (companyKey === own) return;
  const isSwitch = own !== '';
  own = companyKey;
  if ((sessionStore().getItem(slot) ?? companyKey) !== companyKey) dropDrafts();
  sessionStore().setItem(slot, companyKey);
  if (isSwitch) onSwitch(by);
}

/**
 * Updates the tab's company from the answer to the call `name`. `about` is the company of the answer, `asked` that of the
 * call ('' for the current one). Returns false if a read without a company returned another one than this tab's; it must be repeated.
 */
export function syncCompany(name: CallName, about: string, asked: string): boolean {
  if (about === '' || about === asked) return true;
  if (calls[name].method === 'GET' && own !== '') return about === own;
  actFor(about, name);
  return true;
}
