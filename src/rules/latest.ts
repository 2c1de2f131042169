import type { Facts } from '#contract/facts.ts';
import { jsonIn } from '#contract/json.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';

type Companies = readonly { organisationId: string; companyId: string }[];

/** The organisation that was added last to a workspace, whichever is in use; '' for none. */
export const latestOrganisation = (companies: Companies): string =>
  [...new Set(companies.map(({ organisationId }) => organisationId))].at(-1) ?? '';

/** The company that was added last to an organisation; '' for none. */
export const latestCompany = (companies: Companies, organisationId: string): string =>
  companies.findLast((each) => each.organisationId === organisationId && each.companyId !== '')?.companyId ?? '';

/**
 * What was created last of each kind before whose creation the user may be asked, by the facts; '' for none. The server
 * compares it with what is there by then.
 */
export const latestIn = {
  organisation: ({ companies }: Facts) => latestOrganisation(companies),
  company: ({ companies, settings }: Facts) => latestCompany(companies, settings.organisationId),
  account: ({ settings }: Facts) => settings.accountId,
  dataset: ({ settings }: Facts) => settings.dataSetId,
  subscription: ({ settings }: Facts) =>
    (jsonIn(settings.subscriptions) as SubscriptionRecord[]).at(-1)?.subscriptionId ?? '', // as the server wrote it
} as const;
