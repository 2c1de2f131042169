/**
 * What a sandbox has recorded, as the users of the package see it (docs/sandbox.md). No imports: the package carries
 * these types as they are. Secrets are not masked, because the records stay with the program's owner.
 */

/** A call of the service's API, with the response as the program received it. */
export interface RecordedCall {
  /** 1 for the first call since the sandbox was created or reset. */
  number: number;
  /** When it arrived, in ms since the epoch: by the sandbox's clock if it began stopped, otherwise by the machine's. */
  at: number;
  /** Time until the response had ended or the connection was closed, in ms. */
  ms: number;
  method: string;
  /** The path at the service, without the query, such as `/v3/batchpayments`. */
  path: string;
  /** The query without `?`; '' if there is none. */
  query: string;
  /** The operation's name, as in the rules of the fault lab, such as `createBatch`; '' for an unknown one. */
  operation: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** 0 if the connection was closed before the program received a status. */
  status: number;
  /** What the program received; `body` is '' where it received none, and cut where it received a part. */
  response: { headers: Readonly<Record<string, string>>; body: string };
  /** Whether the sandbox did what was asked: a created batch exists even though its response was lost. */
  isDone: boolean;
  /** The kind of the fault that affected it, such as `answerLost`. */
  fault?: string;
  /** What is wrong with it, one sentence each. */
  mistakes: readonly string[];
}

/** An attempt to deliver a webhook. */
export interface RecordedDelivery {
  /** ms since the epoch, by the clock of `RecordedCall.at`. */
  at: number;
  /** Time until the answer arrived or the attempt was given up, in ms. */
  ms: number;
  /** The status of the answer; 0 if there was none. */
  status: number;
  /** What happened, such as `refused with 503`, `no answer within 10 s`. */
  outcome: string;
  /** The headers and the body as they were sent. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A webhook, with all attempts to deliver it, oldest first. */
export interface RecordedWebhook {
  webhookId: string;
  type: string;
  /** The kind of the fault that affected it, such as `badSignature`. */
  fault?: string;
  deliveries: readonly RecordedDelivery[];
}

/** A payment of a batch, as the service knows it. */
export interface RecordedPayment {
  paymentId: string;
  status: string;
  /** A decimal text, such as `120.50`. */
  amount: string;
  currency: string;
  creditorId: string;
  /** The payment's reference, '' if it has none. */
  reference: string;
  /**
   * How it came back, also if only an event tells that and `status` stays `Completed`: when (ISO time), the reason's code
   * such as `AC04`, what came back and what was kept as charges (decimal texts), and how it was told.
   */
  returned?: { at: string; reason: string; amount: string; charges: string; told: string };
}

/** A batch, as the service knows it. */
export interface RecordedBatch {
  batchId: string;
  companyId: string;
  externalId: string;
  /** The idempotency key of the call that created it. */
  idempotencyKey: string;
  status: string;
  payments: readonly RecordedPayment[];
  /** ms since the epoch by the sandbox's clock. */
  at: number;
}

/** Everything that is recorded of an application. */
export interface RecordedApplication {
  calls: readonly RecordedCall[];
  webhooks: readonly RecordedWebhook[];
  batches: readonly RecordedBatch[];
}
