import { z } from 'zod';
import {
  checkedSchema,
  clockChangeSchema,
  clockSchema,
  explainedSchema,
  faultRuleSchema,
  keptRuleSchema,
  labBatchSchema,
  receivedWebhookSchema,
  receiverSchema,
  resentWebhookSchema,
  sentWebhookSchema,
  sinceSchema,
} from './controlShapes.ts';
import { sandboxMomentSchema } from './sandboxMoment.ts';

/** The situations that a sandbox prepares (docs/sandbox.md). */
export const situations = [
  'organisation',
  'company',
  'authorised-subscription',
  'payable',
  'ten-creditors',
  'batch-partly-failed',
  'token-expired',
] as const;

/**
 * A call of the lab. `body` is the schema of the request; `answer` that of the response's `data`, absent for status
 * 204.
 */
export interface ControlCall {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  says: string;
  status: 200 | 201 | 202 | 204;
  body?: z.ZodType;
  answer?: z.ZodType;
}

const data = <A extends z.ZodType>(answer: A) => ({ status: 200, answer }) as const;
const nothing = { status: 204 } as const;
const receiver = data(z.strictObject({ url: z.string().nullable() }));

/**
 * The calls of the fault lab, from which they are routed, checked and documented (docs/sandbox.md, `GET
 * /sandbox/openapi.json`).
 */
export const controlCalls = {
  listRules: {
    method: 'get',
    path: '/faults',
    says: 'lists the rules; `asked` counts how often each matched, `happened` how often its fault occurred',
    ...data(z.array(keptRuleSchema)),
  },
  addRule: {
    method: 'post',
    path: '/faults',
    says: 'adds a rule; at most 100 are stored, finished ones included',
    body: faultRuleSchema,
    status: 201,
    answer: keptRuleSchema,
  },
  removeRule: { method: 'delete', path: '/faults/{ruleId}', says: 'removes a rule', ...nothing },
  stopAll: {
    method: 'delete',
    path: '/faults',
    says: 'removes all rules. Held connections are closed, delayed responses are sent',
    ...nothing,
  },
  listBatches: {
    method: 'get',
    path: '/batches',
    says: 'lists the latest 100 batches, newest first; `next` is the status that follows automatically, null for none; `returned` says which payments came back, when, why and at what charge',
    ...data(z.array(labBatchSchema)),
  },
  stepBatch: {
    method: 'post',
    path: '/batches/{batchId}/step',
    says: 'advances a batch to its next status; 409 if none follows automatically',
    ...data(z.strictObject({ batchId: z.string(), status: z.string() })),
  },
  listWebhooks: {
    method: 'get',
    path: '/webhooks',
    says: 'lists the latest 100 webhooks, newest first; `status` is that of the latest response, 0 for none; `log` has each attempt at both receivers: time, address and what happened',
    ...data(z.array(sentWebhookSchema)),
  },
  sendAllAgain: {
    method: 'post',
    path: '/webhooks/again',
    says: 'resends all webhooks since then that were not accepted; `to` has the addresses to which they go',
    body: sinceSchema,
    status: 202,
    answer: z.array(resentWebhookSchema),
  },
  checkWebhook: {
    method: 'post',
    path: '/webhooks/check',
    says: 'verifies a webhook as a receiver does: returns the `baseString`, the `problems`, and for a webhook of the sandbox the correct `signature`',
    body: receivedWebhookSchema,
    ...data(checkedSchema),
  },
  sendAgain: {
    method: 'post',
    path: '/webhooks/{webhookId}/again',
    says: 'resends a webhook with the same id, without its fault; `to` has the addresses to which it goes, 409 if there is none',
    status: 202,
    answer: resentWebhookSchema,
  },
  explainSignature: {
    method: 'get',
    path: '/webhooks/{webhookId}/signature',
    says: 'signs the webhook at the present time: `baseString`, `how` it is signed, `signature`',
    ...data(explainedSchema),
  },
  readReceiver: {
    method: 'get',
    path: '/receiver',
    says: 'returns the address of the second receiver, null for none',
    ...receiver,
  },
  setReceiver: {
    method: 'put',
    path: '/receiver',
    says: 'sets a second receiver of all webhooks: signed in the same way but without the agreed header, at most 20 per second, retried independently',
    body: receiverSchema,
    ...receiver,
  },
  removeReceiver: { method: 'delete', path: '/receiver', says: 'removes the second receiver', ...receiver },
  readClock: {
    method: 'get',
    path: '/clock',
    says: 'returns the sandbox’s time; `offset` is in ms, `pending` counts scheduled webhooks and status changes',
    ...data(clockSchema),
  },
  moveClock: {
    method: 'patch',
    path: '/clock',
    says: '`move` moves the clock by this many ms, forward or back; `still` stops it or lets it run; `everyDay` has payments processed on every day, or on the days of their scheme',
    body: clockChangeSchema,
    ...data(clockSchema),
  },
  sendWebhook: {
    method: 'post',
    path: '/webhooks',
    says: 'sends the given event to the receiver of webhooks, signed; 409 if there is none',
    body: z.strictObject({
      type: z.string('the type of the event').min(1),
      data: z.looseObject({}).optional(),
      subscriptionId: z.string().optional(),
    }),
    status: 202,
    answer: z.strictObject({ webhookId: z.string() }),
  },
  createApplication: {
    method: 'post',
    path: '/applications',
    says: 'creates an application with its own sandbox, for example for one worker of a test run; returns `url` and `credentials`',
    status: 201,
    answer: z.strictObject({ url: z.string(), credentials: z.looseObject({}) }),
  },
  prepareSituation: {
    method: 'post',
    path: '/situations',
    says: `creates a situation and returns its ids: ${situations.map((name) => `\`${name}\``).join(', ')}`,
    body: z.strictObject({ situation: z.enum(situations, `one of ${situations.join(', ')}`) }),
    status: 201,
    answer: z.looseObject({}),
  },
  listCalls: {
    method: 'get',
    path: '/calls',
    says: 'lists the calls of the API since the start or reset, oldest first, with the responses as received; at the console’s own sandbox only the latest 200, of programs',
    ...data(z.array(z.looseObject({}))),
  },
  takeSnapshot: {
    method: 'post',
    path: '/snapshots',
    says: 'stores the present state; only the latest 20 snapshots remain',
    status: 201,
    answer: z.strictObject({ snapshotId: z.string() }),
  },
  restoreSnapshot: {
    method: 'post',
    path: '/snapshots/{snapshotId}/restore',
    says: 'restores that state',
    ...nothing,
  },
  readSituation: {
    method: 'get',
    path: '/situation',
    says: 'returns all that the sandbox has stored, its faults included, its time, and the seed of the ids that it issues next, for a file; with its keys',
    ...data(sandboxMomentSchema),
  },
  openSituation: {
    method: 'put',
    path: '/situation',
    says: 'replaces all that the sandbox has stored, its time and its seed, by those of a file; what is not as it was saved is refused by name',
    body: sandboxMomentSchema,
    ...nothing,
  },
  resetClock: { method: 'delete', path: '/clock', says: 'sets the clock to the machine’s time', ...data(clockSchema) },
} as const satisfies Record<string, ControlCall>;

type ControlCalls = typeof controlCalls;
export type ControlCallName = keyof ControlCalls;
/** The body of a call as it is parsed; undefined if it has none. */
export type ControlBody<N extends ControlCallName> = ControlCalls[N] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;
/** The `data` of a call's answer; void for status 204. */
export type ControlAnswer<N extends ControlCallName> = ControlCalls[N] extends { answer: infer A extends z.ZodType }
  ? z.input<A>
  : void;

/** Returns the path of a call at the sandbox; `id` replaces the id in it. */
export const controlPath = (name: ControlCallName, id?: string): string =>
  `/sandbox${id === undefined ? controlCalls[name].path : controlCalls[name].path.replace(/\{\w+\}/, id)}`;
