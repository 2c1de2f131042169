import { member } from '#contract/member.ts';
import { statusOf } from '#contract/status.ts';
import type { Facts } from '#contract/facts.ts';
import { shortId } from '#rules/shortId.ts';

/** The name of the current company, else its short id; '' if there is none. */
export const companyOf = ({ companies, companyKey, settings }: Facts): string =>
  companies.find((each) => each.companyKey === companyKey)?.companyName || shortId(settings.companyId);

/** How a subscription ended, for example "Rejected by Larkfield Bacs Bureau". */
export const endedBy = (status: string, provider: string): string =>
  statusOf(status) === 'Rejected' ? `Rejected by ${provider}` : `The subscription with ${provider} is ${status}`;

/** Says of a batch or subscription that the service had named this end status, and names one in progress now. */
export const endedBefore = (ended: string): string => `Had ended as ${ended} before`;

/** Statuses in words, without and with the provider's name. */
const standings: Readonly<Record<string, [short: string, long: (provider: string) => string]>> = {
  Received: ['Waiting for a reply', (provider) => `Sent to ${provider}, waiting for its reply`],
  Pending: ['Waiting for approval', (provider) => `Waiting for approval at ${provider}`],
  AwaitingAuthorisation: ['Waiting for approval', (provider) => `Waiting for approval at ${provider}`],
  Authorised: ['Approved', () => 'Approved. You can pay now'],
};

/** A subscription's status in words; one that the protocol does not have is quoted as the service sent it. */
export const subscriptionWords = (status: string, provider: string): string =>
  member(standings, statusOf(status))?.[1](provider) ?? endedBy(status, provider);

/** The same beside the provider's name. */
export const shortWords = (status: string): string => member(standings, statusOf(status))?.[0] ?? status;
/** What a page says while a provider has to answer. */
export const waitText = (provider: string): string =>
  `Waiting for ${provider || 'the provider'}. You may leave this page.`;

/** The name of the current provider, as the subject of a sentence. */
export const providerOf = ({ provider }: Facts): string => provider?.name ?? 'The provider';
