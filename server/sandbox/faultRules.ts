/**
 * The rules of the fault lab, as the users of the package write them (docs/sandbox.md, "Rules"). No imports: the package
 * carries these types as they are. Each option has a default, which the fault lab shows.
 */

/** What can happen to a call of the service. */
export type CallFault =
  | { kind: 'status' | 'html'; status?: number }
  /** `retryAfter` in s. */
  | { kind: 'tooMany' | 'tooManyUntil'; retryAfter?: number }
  | { kind: 'redirect'; to?: string }
  /** By the sandbox's clock. */
  | { kind: 'latency' | 'slow'; ms?: number }
  | { kind: 'expiredToken' | 'noAnswer' | 'noBody' | 'reset' | 'truncated' | 'answerLost' }
  | { kind: 'extraMembers' | 'unknownStatus' | 'nullMembers' }
  | { kind: 'changed'; path?: string; came?: string };

export type WebhookFault =
  | { kind: 'lose' | 'duplicate' | 'badSignature' | 'oldTimestamp' | 'otherSubscription' | 'array' }
  | { kind: 'delay' | 'reorder' | 'receiverDown'; ms?: number }
  | { kind: 'changed'; path?: string; came?: string };

/** What decides a pending approval, `ms` after the request for it. */
export interface AuthorisationFault {
  kind: 'approve' | 'reject' | 'cancel' | 'expire' | 'approveTwice' | 'approveThenRevoke';
  ms?: number;
}

export type BatchFault =
  | { kind: 'hold' | 'needsApproval' | 'returned' | 'fileLinkDead' }
  /** `index` from 0; `rule`, the id of a rule that the payment violates, '' for a closed account. */
  | { kind: 'failPayment'; index?: number; rule?: string };

/** What changes the definitions of providers and file formats. */
export type DefinitionFault =
  | { kind: 'ruleAdded'; apiPath?: string; path?: string }
  | { kind: 'ruleDropped' | 'ruleRequired' | 'nullText' | 'unknownOptionality'; rule?: string }
  | { kind: 'ruleRegex'; rule?: string; regex?: string }
  | { kind: 'languageGone'; language?: string }
  | { kind: 'capabilityDropped'; provider?: string; capability?: string }
  | { kind: 'otherCountry'; provider?: string; country?: string };

export type MessageName =
  'updates' | 'debtoraccountlistqueries' | 'creditorlistqueries' | 'debtoraccountdeletes' | 'creditordeletes';

/** The calls of the service. */
export type CallName =
  | ('createOrganisation' | 'createCompany' | 'accessToken' | 'authorize' | 'userInfo' | 'createAccount')
  | ('createDataset' | 'providers' | 'provider' | 'localInstruments' | 'fileFormats' | 'banks' | 'translation')
  | ('createSubscription' | 'subscription' | 'patchSubscription' | 'debtoraccountputs' | 'creditorputs' | MessageName)
  | ('createBatch' | 'batch' | 'paymentFile')
  /** To these a fault happens only under their name, not under `any`. */
  | ('keySet' | 'consumerStatus' | 'messagingStatus');

export type WebhookName =
  | ('subscriptionUpdated' | 'batchUpdated' | 'updates' | 'debtoraccountputs' | 'debtoraccountlistqueryresponses')
  | ('debtoraccountdeletes' | 'creditorputs' | 'creditorlistqueryresponses' | 'creditordeletes');

/** What a rule is about, and what happens to it: to one of these, or to `any`, the default. */
type Happening =
  | { on: 'call'; of?: CallName | 'any'; fault: CallFault }
  | { on: 'webhook'; of?: WebhookName | 'any'; fault: WebhookFault }
  | { on: 'put'; of?: 'debtor' | 'creditor' | 'any'; fault: { kind: 'refuse' | 'authorise' } }
  | { on: 'message'; of?: MessageName | 'any'; fault: { kind: 'refuse' } }
  | { on: 'login'; of?: 'any'; fault: { kind: 'noState' | 'wrongState' | 'neverReturns' } }
  | { on: 'authorisation'; of?: 'subscription' | 'debtor' | 'creditor' | 'batch' | 'any'; fault: AuthorisationFault }
  | { on: 'batch'; of?: 'electronic' | 'file' | 'any'; fault: BatchFault }
  | { on: 'definition'; of?: 'provider' | 'fileFormat' | 'any'; fault: DefinitionFault };

interface Frequency {
  /** How often it happens, 1 by default. */
  times?: number | 'always';
  /** With which probability each time, 1 by default; the same `seed` makes the same choices. */
  probability?: number;
  seed?: number;
}

export type FaultRule = Happening & Frequency;

/** A rule as it is listed: how often it matched, and how often its fault happened. */
export type KeptFaultRule = Happening &
  Required<Frequency> & { of: string; ruleId: string; asked: number; happened: number };
