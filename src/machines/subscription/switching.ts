import { languageOfCountry } from '#contract/constants.ts';
import { member } from '#contract/member.ts';
import type { Alternative } from '#contract/facts.ts';
import { effect, actionTexts } from '../lib/effect.ts';

/** A subscription that is to become the current one. */
export interface Selection {
  subscriptionId: string;
  providerId: string;
  country: string;
  /** Absent if the country has no language assigned (behaviour, section 4). */
  language?: string;
}

/** The effect that makes a subscription the current one. */
export const select = effect<Selection, void>('writes', actionTexts('The choice is stored'));

/** A selection with the provider's country and that country's language (behaviour, section 4). */
export const selecting = ({ subscriptionId, providerId, country }: Omit<Selection, 'language'>): Selection => {
  const language = member(languageOfCountry, country);
  return { subscriptionId, providerId, country, ...(language === undefined ? {} : { language }) };
};

/** The selection that makes a stored subscription the current one. */
export const selectionOf = ({ subscription: { subscriptionId }, providerId, country }: Alternative): Selection =>
  selecting({ subscriptionId, providerId, country });
