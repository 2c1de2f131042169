/**
 * The alert catalogue (behaviour, sections 2 and 8): the exact text of every blocking dialog, for gates, menus, problem
 * bodies and tests.
 */
export const alerts = {
  noUsableSubscription: 'No subscription, the subscription is not authorised or suspended',
  noDebtorSupport: 'The selected provider does not support Debtors',
  noCreditorSupport: 'The selected provider does not support Creditors',
  noProviders: 'No providers found for subscription - check language',
  noDebtors: 'There are no debtors (bank accounts) set up',
  noCreditors: 'There are no creditors set up',
  noOrganisation: 'There is no Organisation set up',
  noCompany: 'There is no Company set up',
  noFileFormats: 'No bank file templates found - check language',
  notAuthorised: 'The subscription is not authorised',
  noUserToken: 'You must get a user token before creating an account',
  noAccount: 'You must create an account before creating a dataset',
  noBatches: 'There are no payments to list, try posting a payment',
  noSubscriptionSupport: 'The selected provider does not support Subscriptions',
} as const;

export type AlertId = keyof typeof alerts;
