import type { MenuGroup } from '#machines/journey.ts';

/** The usage notes by menu group (behaviour, section 1). */
export const usageNotes: Readonly<Record<MenuGroup, readonly string[]>> = {
  Misc: [
    'Choose the countries and the language first: providers, bank file templates and every text of a rule depend on them.',
    'An empty list of providers nearly always means that the chosen language has no definitions; try another one.',
    'The two health pages say whether the service answers at all, before you look for the fault in your own values.',
  ],
  'Org/Comp': [
    'An organisation is one customer; a company belongs to it and is what holds subscriptions and payments.',
    'The organisation takes a country of three letters (GBR). Everything else takes two (GB).',
    'The signing key stays on the server. It can be shown once, on the home page.',
  ],
  'Acct/DataSet': [
    'The user token comes from a login at the identity provider, in the name of a person, and expires.',
    'Account and data set are made in the order of the menu: each builds on the one before.',
    'These three steps belong to the network; the switch for it is in the settings.',
  ],
  Subscriptions: [
    'A subscription connects the company’s accounts to one provider. Its fields come from that provider’s rules.',
    'A new subscription has to be authorised at the provider before it can pay. The list opens that page.',
    'You may suspend an authorised subscription and take the suspension back; nothing is paid in between.',
  ],
  Rules: [
    'A rule names a field, says whether it is required, and brings its label, example, pattern and error message.',
    'The raw definitions are shown as they arrive, to compare with what your own product makes of them.',
  ],
  'Debtors/Creditors': [
    'A debtor is a bank account to pay from, a creditor is a payee.',
    'The service only forwards these messages. The provider’s answer arrives later as a webhook, and the page waits for it.',
  ],
  Payments: [
    'An electronic batch goes through the subscription; a file batch becomes a bank file to download.',
    'The link to a bank file dies after five minutes. Asking for the batch again gives a fresh one.',
    'Every write carries an idempotency key, so pressing twice or reloading makes one batch, not two.',
  ],
};
