import type { Logger } from 'pino';
import type { PaymentFile } from '#contract/batch.ts';
import type { Json } from '#contract/json.ts';
import { requests, type ServiceRequest } from '#contract/requests/requests.ts';
import type { Body, ParsedBody } from '#contract/shapes.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import type { Clock } from '#server/clock.ts';
import { secretsOf } from './config.ts';
import type { UpstreamConfig } from './config.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import type { UpstreamMetrics } from './metricLabels.ts';
import { DefinitionsClient, createDefinitionsCache } from './definitions.ts';
import type { Definitions, DefinitionsCache } from './definitions.ts';
import { sendExample, type ExampleOwner } from './example.ts';
import { createHttp } from './http.ts';
import type { Http, Limits, Reply } from './http.ts';
import type { InjectedFaults } from './injectedFaults.ts';
import { downloadPaymentFile } from './files.ts';
import { askSandbox } from './sandboxControl.ts';
import type { ControlRequest } from './sandboxControl.ts';
import { answerOf, evidence, requireShape, requireId, unwrapped, withErrors, withLinks } from './replies.ts';
import type { Answered, BatchAnswer } from './replies.ts';
import { createdBy, requireOwnAnswer, requireOwnDone } from './writeReplies.ts';
import { timeouts } from './timeouts.ts';
import { segment } from './wire.ts';
import { createServiceClock, type ServiceClock } from '#server/calls/serviceClock.ts';
import { createSigner } from './signer.ts';
import type { Signer } from './signer.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import type { SingleFlight } from '#server/concurrency.ts';
import { createTokens } from './tokens.ts';
import type { Company, Organisation, Token, Tokens } from './tokens.ts';
import { createTransport } from './transport.ts';
import type { ClosableTransport, Transport } from './transport.ts';
import type { TransportRequest, TransportResponse } from './exchange.ts';
import type { MessageKind } from './wire.ts';

/** The service's answer to creating a subscription. */
interface Created extends Record<string, unknown> {
  subscriptionId: string;
  providerId: string;
  status: string;
}

/**
 * The client of the Payments Out Service (wire, sections 1-6). Every call rejects with a Failure. `key` is the
 * idempotency key sent to the service; a repeat must use the same key.
 */
export interface Upstream extends Definitions {
  createOrganisation(
    body: Body<'createOrganisation'>,
    key: string,
  ): Promise<{ organisationId: string; primarySigningKey: string }>;
  createCompany(owner: Organisation, body: Body<'createCompany'>, key: string): Promise<Answered<'createCompany'>>;
  token(owner: Organisation | Company): Promise<Token>;
  /** Like `token`, but at most a minute old, as proof that the service knows the owner. */
  provenToken(owner: Organisation | Company): Promise<Token>;
  /** Like `token`, but always requests a new token. */
  freshToken(owner: Organisation | Company): Promise<Token>;
  createAccount(userJwt: string, body: ParsedBody<'createAccount'>, key: string): Promise<Answered<'createAccount'>>;
  createDataset(userJwt: string, body: ParsedBody<'createDataset'>, key: string): Promise<Answered<'createDataset'>>;
  userInfo(userJwt: string): Promise<Answered<'userInfo'>>;
  createSubscription(company: Company, body: Body<'createSubscription'>, key: string): Promise<{ data: Created }>;
  subscription(company: Company, subscriptionId: string): Promise<Answered<'subscription'>>;
  patchSubscription(company: Company, subscriptionId: string, body: Body<'patchSubscription'>): Promise<void>;
  /**
   * Forwards a message (202); a webhook reports the outcome. `key`, a UUID, is also the interaction id. Resolves with
   * the interaction id.
   */
  send(company: Company, kind: MessageKind, data: unknown, key: string): Promise<string>;
  createBatch(company: Company, batch: Body<'createBatch'>, key: string): Promise<Answered<'createBatch'>>;
  /** The texts of its errors are in the language; '' leaves it to the service. */
  batch(company: Company, batchId: string, language?: string): Promise<BatchAnswer>;
  /**
   * Downloads a batch's payment file; rejects unless the link points to one of the service's own origins. The record of its
   * address has the batch's id.
   */
  paymentFile(link: string, batchId?: string): Promise<PaymentFile>;
  serviceClock: ServiceClock;
  /**
   * Sends a request to the sandbox with the credentials that its operation asks for, and resolves with whatever is answered,
   * except that the sandbox failed (5xx). Throws `not-found` if the console uses another service. `userJwt` is read where a
   * user's token is asked for.
   */
  example(owner: ExampleOwner, request: ServiceRequest): Promise<Reply>;
  /** Calls the sandbox's fault lab (lab.ts); not recorded. */
  lab(...request: ControlRequest): Promise<Json>;
}

/**
 * The client of the console itself; `of` returns the client of a workspace, which may have its own configuration. Each
 * client has its own limit of concurrent requests, so that no workspace waits for another's.
 */
export interface Service extends Upstream {
  of(config?: UpstreamConfig): Upstream;
  /**
   * Forwards a program's request without the console's credentials, and returns the answer whole. Rejects with a
   * TransportError, or with the reason for which it was ended.
   */
  pass(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

interface Deps {
  config: UpstreamConfig;
  clock: Clock;
  newId: () => string;
  log: Logger;
  /** Default: over the network. */
  transport?: ClosableTransport;
  limits?: Partial<Limits>;
  injectedFaults?: InjectedFaults;
  metrics?: UpstreamMetrics;
  /** Absent if no traces are recorded. */
  onSpan?: OnSpan;
}

export function createUpstream({ transport = createTransport(), ...deps }: Deps): Service {
  const common = createDefinitionsCache(deps.clock);
  const ask = (config = deps.config) => {
    // Another application may have other definitions.
    const definitions = config === deps.config ? common : createDefinitionsCache(deps.clock);
    const signer = createSigner(config, deps.newId);
    const serviceClock = createServiceClock(deps.clock);
    const time = {
      clock: serviceClock,
      // The host that takes payments. Others may have other clocks, and do not forget its keys.
      origin: new URL(config.baseUrl).origin,
      ask: () => signer.plain(requests.localInstruments('')),
    };
    return new Client(createHttp({ ...deps, transport, secrets: secretsOf(config), time }), config, {
      transport,
      clock: deps.clock,
      serviceClock,
      signer,
      definitions,
      loading: createSingleFlight(),
    });
  };
  const limits = {
    timeouts: { ...timeouts.program, ...deps.limits?.patience },
    maxBytes: deps.limits?.bytes ?? jsonLimits.largeAnswer.bytes,
  };
  return Object.assign(ask(), {
    of: ask,
    pass: (request: TransportRequest) => transport(request, limits),
    close: () => transport.close(),
  });
}

/** What the clients of a workspace share. */
interface Shared {
  transport: Transport;
  clock: Clock;
  serviceClock: ServiceClock;
  /** Shared by all workspaces with the same configuration. */
  definitions: DefinitionsCache;
  loading: SingleFlight<object>;
  signer: Signer;
}

class Client extends DefinitionsClient implements Upstream {
  readonly #http: Http;
  readonly #config: UpstreamConfig;
  readonly #shared: Shared;
  readonly #tokens: Tokens;

  constructor(http: Http, config: UpstreamConfig, shared: Shared) {
    super({ http, ...shared });
    this.#http = http;
    this.#config = config;
    this.#shared = shared;
    const { signer, clock } = shared;
    this.#tokens = createTokens({ http, signer, clock, isTrusted: () => this.#isTrusted() });
  }

  get serviceClock(): ServiceClock {
    return this.#shared.serviceClock;
  }

  get #signer(): Signer {
    return this.#shared.signer;
  }

  /** Whether the service accepts the console's own credentials; false if the request fails. */
  #isTrusted(): Promise<boolean> {
    return this.#http
      .read(() => this.#signer.plain(requests.localInstruments('')))
      .then(
        ({ status }) => status < 300,
        () => false,
      );
  }

  #read(company: Company, request: ServiceRequest, maxBytes = jsonLimits.answer.bytes) {
    return this.#tokens.asOwner(company, (bearer) =>
      this.#http.read(() => ({ maxBytes, ...this.#signer.plain(request, bearer), ...ownedBy(company) })),
    );
  }

  #write(company: Company, request: ServiceRequest) {
    return this.#tokens.asOwner(company, (bearer) =>
      this.#http.send({
        ...this.#signer.plain(request, bearer),
        // The answer to a batch may repeat its payments.
        maxBytes: jsonLimits.largeAnswer.bytes,
        ...ownedBy(company),
      }),
    );
  }

  /** Makes a call with the user's token, which the console cannot renew: after a 401 the user must log in again. */
  async #asUser(userJwt: string, request: ServiceRequest) {
    const reply = await this.#http.send(this.#signer.plain(request, userJwt));
    if (reply.status === 401)
      throw new Failure('token-expired', 'The user token is no longer accepted: get a new user token.', {
        upstream: { status: 401, body: evidence(reply.text) },
        interactionId: reply.interactionId,
      });
    return reply;
  }

  async createOrganisation(body: Body<'createOrganisation'>, key: string) {
    const request = requests.createOrganisation(body, key);
    const send = () => this.#http.send(this.#signer.signed(request, this.#config.signingKey));
    const first = await send();
    // A single 401 may concern only that request: of one that a proxy has doubled, the nonce was used before.
    const reply = first.status === 401 ? await send() : first;
    const { organisationId, primarySigningKey, signingKey } = createdBy(reply, request.operation, sentIn(request));
    return { organisationId, primarySigningKey: requireShape(primarySigningKey ?? signingKey, 'signing key', reply) };
  }

  async createCompany(owner: Organisation, body: Body<'createCompany'>, key: string) {
    const request = requests.createCompany(body, key);
    const reply = await this.#tokens.asOwner(owner, (bearer) =>
      this.#http.send(this.#signer.signed(request, owner.signingKey, bearer)),
    );
    const sent = { ...body, organisationId: owner.organisationId };
    return createdBy(reply, request.operation, sent);
  }

  token(owner: Organisation | Company) {
    return this.#tokens.of(owner);
  }

  provenToken(owner: Organisation | Company) {
    return this.#tokens.proven(owner);
  }

  freshToken(owner: Organisation | Company) {
    return this.#tokens.fresh(owner);
  }

  async createAccount(userJwt: string, body: ParsedBody<'createAccount'>, key: string) {
    const request = requests.createAccount(body, key);
    const reply = await this.#asUser(userJwt, request);
    return createdBy(reply, request.operation, sentIn(request));
  }

  async createDataset(userJwt: string, body: ParsedBody<'createDataset'>, key: string) {
    const request = requests.createDataset(body, key);
    const reply = await this.#asUser(userJwt, request);
    return createdBy(reply, request.operation, sentIn(request));
  }

  async userInfo(userJwt: string) {
    return answerOf(await this.#asUser(userJwt, requests.userInfo()), 'userInfo');
  }

  async createSubscription(company: Company, body: Body<'createSubscription'>, key: string) {
    const request = requests.createSubscription(segment(company.organisationId), body, key);
    const reply = await this.#write(company, request);
    const { data } = createdBy(reply, request.operation, idsOf(company));
    return { data: { ...data, providerId: data.providerId ?? body.data.providerId } };
  }

  async subscription(company: Company, id: string) {
    const reply = await this.#read(company, requests.subscription(segment(id)));
    const answer = answerOf(reply, 'subscription');
    requireId(reply, id, answer.data.subscriptionId);
    return withLinks(answer);
  }

  async patchSubscription(company: Company, id: string, body: Body<'patchSubscription'>) {
    const request = requests.patchSubscription(segment(id), body);
    const reply = await this.#write(company, request);
    requireOwnDone(reply, { ...idsOf(company), subscriptionId: id });
  }

  async send(company: Company, kind: MessageKind, data: unknown, key: string) {
    const request = requests.message(kind, data, key);
    const reply = await this.#write(company, request);
    requireOwnDone(reply, { ...sentIn(request), ...idsOf(company) });
    return reply.interactionId;
  }

  async createBatch(company: Company, batch: Body<'createBatch'>, key: string) {
    const request = requests.createBatch(batch, key);
    const reply = await this.#write(company, request);
    const sent = { ...sentIn(request), ...idsOf(company) };
    return createdBy(reply, request.operation, sent);
  }

  async batch(company: Company, id: string, language = '') {
    const reply = await this.#read(company, requests.batch(segment(id), language), jsonLimits.largeAnswer.bytes);
    const answer = answerOf(reply, 'batch');
    requireId(reply, id, answer.data.batchId);
    requireOwnAnswer(reply, idsOf(company));
    return withErrors(withLinks({ ...answer, reply }));
  }

  paymentFile(link: string, batchId = '') {
    return downloadPaymentFile(this.#http, { link, batchId }, this.#config);
  }

  example(owner: ExampleOwner, request: ServiceRequest) {
    const shared = { http: this.#http, signer: this.#signer, tokens: this.#tokens, config: this.#config };
    return sendExample(shared, owner, request);
  }

  lab(...request: ControlRequest) {
    return askSandbox(this.#shared, this.#config, ...request);
  }
}

/** The secrets of a company's requests. */
const ownedBy = ({ signingKey }: Company) => ({ secrets: [signingKey] });

const idsOf = ({ organisationId, companyId }: Company) => ({ organisationId, companyId });

/** Returns what a request sends, without the `data` around it. */
const sentIn = ({ body }: ServiceRequest): object => unwrapped(body) as object; // writes send objects
