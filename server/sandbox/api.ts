import type { FaultRule, KeptFaultRule } from './faultRules.ts';
import type { RecordedBatch, RecordedCall, RecordedWebhook } from './recorded.ts';

/**
 * The interface of a sandbox for programs and their tests (docs/sandbox.md, "In your tests"). The package carries this
 * file, faultRules.ts and recorded.ts as its types, so they import nothing else.
 */

export interface SandboxOptions {
  /** The port at which it listens, 0 for any free one; without it, only `fetch` reaches the sandbox. */
  port?: number;
  /** `127.0.0.1` by default. */
  host?: string;
  /** With a seed, ids, credentials, tokens and webhooks are the same each time. A whole number. */
  seed?: number;
  /**
   * `stopped`: time passes only by `clock.advance`, the default with a seed. `running`: time passes as on this machine,
   * the default without one.
   */
  clock?: 'running' | 'stopped';
  /** The time at which a stopped clock begins: `2026-01-01T00:00:00.000Z` by default with a seed, otherwise now. */
  now?: string;
  /**
   * Whether payments are processed on every day, so that a test does not depend on the day on which it runs: the default
   * with a seed. Otherwise they are processed on the days of their scheme.
   */
  everyDay?: boolean;
  /** `:memory:`, the default, or a folder, which is created if missing. */
  data?: string;
  /** The URL that receives webhooks; without it, none are sent. */
  webhookUrl?: string;
}

/** What a program needs to call the sandbox. */
export interface Credentials {
  applicationId: string;
  apiKey: string;
  /** Signs the creation of organisations. */
  signingKey: string;
  /** Verifies webhooks: `whsec_` and the key in Base64. */
  webhookSecret: string;
  /** The header with which each webhook comes. */
  webhookHeader: { name: string; value: string };
  /** For the calls below `/sandbox`. */
  controlToken: string;
}

/**
 * `organisation`: an organisation. `company`: also a company. `authorised-subscription`: also an authorised
 * subscription. `payable`: also a debtor and a creditor. `ten-creditors`: with ten creditors. `batch-partly-failed`:
 * also a batch of two payments, one of which has failed. `token-expired`: as `payable`, with a token that has expired.
 */
export type Situation =
  | 'organisation'
  | 'company'
  | 'authorised-subscription'
  | 'payable'
  | 'ten-creditors'
  | 'batch-partly-failed'
  | 'token-expired';

/** The ids of a situation; '' for what the situation does not contain. */
export interface Prepared {
  organisationId: string;
  /** Signs calls for tokens. */
  primarySigningKey: string;
  companyId: string;
  /** The company's token. */
  token: string;
  providerId: string;
  subscriptionId: string;
  debtorId: string;
  creditors: readonly { creditorId: string; name: string }[];
  batchId: string;
}

/**
 * Everything in a sandbox at a time. Plain JSON, to be given back to `restore` unchanged. Its addresses are those of no
 * machine; if the clock was stopped, so are its times.
 */
export interface Snapshot {
  version: 1;
  /** Rows by table. */
  tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  calls: readonly RecordedCall[];
  webhooks: readonly RecordedWebhook[];
  /** The number of ids that were issued. */
  ids: number;
  /** The seed from which they follow, if it is one; absent in a snapshot of an earlier version. */
  seed?: number;
}

/** A sandbox. After `close`, each function throws or rejects with an error that says so. */
export interface Sandbox {
  /** Its URL without a trailing slash. Without a port, an address that only `fetch` reaches. */
  url: string;
  credentials: Credentials;
  /** Calls the sandbox within the process. A path is resolved against `url`. */
  fetch(request: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Creates a situation through the API, without webhooks and without a trace in `calls`. */
  prepare(situation: Situation): Promise<Prepared>;
  snapshot(): Promise<Snapshot>;
  restore(saved: Snapshot): Promise<void>;
  /** Returns to the state in which the sandbox was created. */
  reset(): Promise<void>;
  faults: {
    add(rule: FaultRule): Promise<KeptFaultRule>;
    list(): Promise<KeptFaultRule[]>;
    remove(ruleId: string): Promise<void>;
    /** Removes all rules; held connections are closed, delayed responses are sent. */
    clear(): Promise<void>;
  };
  clock: {
    /** The sandbox's time, in ms since the epoch. */
    now(): number;
    /** Moves the clock by `ms`, and does what becomes due meanwhile at its time; resolves when all of it is done. */
    advance(ms: number): Promise<void>;
    stop(): Promise<void>;
    run(): Promise<void>;
  };
  /** The calls of the API since the creation or reset, oldest first; the latest 10,000. */
  calls(): RecordedCall[];
  webhooks: {
    /** The webhooks with all attempts to deliver them, oldest first; the latest 10,000. */
    (): readonly RecordedWebhook[];
    /** Sends an event of your own to `webhookUrl`, signed; resolves with its id. */
    send(event: { type: string; data?: object; subscriptionId?: string }): Promise<string>;
  };
  /** The batches, oldest first. */
  batches(): Promise<RecordedBatch[]>;
  /** Resolves when no webhook is being delivered and no status changes; calls in progress are not waited for. */
  settled(): Promise<void>;
  /** Ends all connections, also those that wait for an answer. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a sandbox. Rejects with Node's error if the port is in use, and with an Error that names a wrong option and says
 * what would be right.
 */
export type CreateSandbox = (options?: SandboxOptions) => Promise<Sandbox>;
