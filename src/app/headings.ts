import type { JourneyId } from '#machines/journeys.ts';

interface Words {
  /** A list, a table or raw JSON, which uses the width of step and inspector. */
  wide?: true;
  /** A verb phrase; absent if the menu's label is already one. */
  heading?: string;
  /** The purpose of the step, and what the next step needs from it. */
  lede: string;
}

/** The texts above each step. Separate from the table of journeys, because the home page does not need them. */
export const headings: Readonly<Record<JourneyId, Words>> = {
  settings: {
    heading: 'Choose country and language',
    lede: 'These settings determine the providers, bank file templates and texts of the next steps. Each change is saved at once.',
  },
  consumerHealth: {
    wide: true,
    heading: 'Check the consumer API',
    lede: 'Asks each service of the consumer API whether it is up. Look here first when every call fails.',
  },
  messagingHealth: {
    wide: true,
    heading: 'Check the messaging API',
    lede: 'Asks each service of the messaging API whether it is up. Debtors, creditors, updates and their webhooks go through it.',
  },
  translations: {
    wide: true,
    heading: 'Look up translations',
    lede: 'Lists the labels, descriptions, examples and error messages of rules in a language. Forms are drawn with these texts.',
  },
  organisation: {
    lede: 'Everything that follows belongs to an organisation. Its signing key stays on the server. The next step creates a company in it.',
  },
  company: {
    lede: 'A company belongs to the organisation and holds subscriptions and payments. The next steps act in its name, with a token of its own.',
  },
  accessToken: {
    lede: 'The company’s token authorises every call from here on; the console renews it automatically. Reveal it to try a call of your own.',
  },
  userToken: {
    lede: 'The identity provider asks who you are and sends you back with a token. Account and data set are created in your name.',
  },
  account: {
    lede: 'An account is the user’s place in the network. The data set of the next step belongs to it.',
  },
  dataset: {
    lede: 'A data set holds the company’s records in the account. With it the company can be connected to a provider.',
  },
  subscription: {
    lede: 'A subscription connects the company to the payment provider that will make its payments. Someone has to authorise it before it can pay.',
  },
  bankSubscription: {
    lede: 'Connects the company to one of the banks of an open-banking provider. Someone has to authorise it before it can pay.',
  },
  authorisation: {
    wide: true,
    heading: 'Authorise the subscription',
    lede: 'The provider has to approve a subscription on its own page before it can pay. Select, update and suspend subscriptions here too.',
  },
  additionalData: {
    wide: true,
    heading: 'Try out rules',
    lede: 'Shows the form made from a provider’s rules, and the body that it would send. Nothing is sent.',
  },
  bankFiles: {
    wide: true,
    heading: 'Read the bank file templates',
    lede: 'The templates of a country, as the service describes them. Paying by file asks for one of them.',
  },
  providers: {
    wide: true,
    heading: 'Read the providers',
    lede: 'The providers of a country with their capabilities and rules. The forms of subscriptions, debtors and creditors are made from them.',
  },
  debtor: {
    lede: 'A debtor is a bank account that pays. The provider answers by webhook; payments are made from the accounts that it has accepted.',
  },
  debtorQuery: {
    wide: true,
    heading: 'Query the debtors',
    lede: 'Asks the provider for the debtors of this subscription. The answer arrives by webhook. Debtors can be deleted here.',
  },
  creditor: {
    lede: 'A creditor is a payee, with the account that receives the money. The next step pays its invoices.',
  },
  creditorQuery: {
    wide: true,
    heading: 'Query the creditors',
    lede: 'Asks the provider for the creditors of this subscription. The answer arrives by webhook. Creditors can be deleted here.',
  },
  electronicPayment: {
    heading: 'Pay electronically',
    lede: 'Choose the account and the invoices, then review what is sent. Nothing is paid before the review; the batch is followed in the next step.',
  },
  filePayment: {
    heading: 'Pay by bank file',
    lede: 'Choose a template, the account and the invoices, then review what is sent. The service makes a file for the bank from them.',
  },
  batch: {
    lede: 'A batch changes its status until every payment is made or has failed. This page follows it and shows which payments failed, and why.',
  },
  batchList: {
    wide: true,
    lede: 'Every batch that was posted from here, newest first. Open one to see its payments, or poll for its status.',
  },
  transfer: {
    wide: true,
    heading: 'Fund by eTransfer',
    lede: 'Asks for a transfer of a fixed amount on the provider’s page. It opens in a new tab, and is shown below.',
  },
};
