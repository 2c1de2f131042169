import type { Facts } from '#contract/facts.ts';
import { isAuthorised } from '#contract/status.ts';
import type { ResourceKind } from './lib/resource.machine.ts';
import type { Owner } from './onboarding/workspace.machine.ts';

/** An act on what was shown when it was chosen. */
type OnFacts = 'copyToken' | 'suspend' | 'signOut';

/** An act of the palette. */
export type PaletteAct = { act: OnFacts; facts: Facts } | { act: 'useCompany'; owner: Owner };

/** Why an act is impossible now; '' if it is possible. */
export const whyNot: Record<OnFacts, (facts: Facts) => string> = {
  copyToken({ accessToken, settings }) {
    if (accessToken) return '';
    return settings.companyId === '' ? 'There is no company yet' : 'No access token was obtained yet';
  },
  suspend({ subscription }) {
    if (!subscription) return 'There is no subscription yet';
    const { status } = subscription;
    return isAuthorised(status) ? '' : `Only an Authorised subscription can be suspended; this one is ${status}`;
  },
  signOut: () => '',
};

/** The acts of the palette: one may turn into its opposite, so that none follows for half a second. */
export const paletteKind: ResourceKind<null, PaletteAct> = {
  permits: (act) => act.act === 'useCompany' || whyNot[act.act](act.facts) === '',
  repeats: () => true,
  changesFacts: () => true,
};
