import type { LabBatch, LabStanding, SentWebhook } from '#contract/lab.ts';
import type { KeptRule } from '#contract/controlShapes.ts';
import { server } from './fakeCalls.ts';

export const batch: LabBatch = {
  batchId: 'batch-1',
  companyId: 'c',
  status: 'Received',
  next: 'Processing',
  payments: 2,
  at: '2026-01-31T09:00:00.000Z',
  fault: 'hold',
};
const webhook: SentWebhook = {
  webhookId: 'msg_1',
  type: 'batchUpdated',
  at: '2026-01-31T09:00:00.000Z',
  body: '{}',
  attempts: 0,
  delivered: false,
  status: 0,
  log: [],
  mark: { kind: 'lose', ruleId: 'rule-1' },
};
export const explained = {
  id: 'msg_1',
  timestamp: '1769850000',
  baseString: 'msg_1.1769850000.{}',
  how: 'HMAC',
  signature: 'v1,x',
};

/** A fault lab that keeps what it is told. */
export function openLab() {
  let count = 0;
  const lab: LabStanding = {
    rules: [],
    clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
    receiver: { url: null },
  };
  const done = { data: null };
  server.answers = {
    getLab: () => ({ data: structuredClone(lab) }),
    setFault({ body }) {
      const rule = { ...(body as object), ruleId: `rule-${(count += 1)}`, asked: 0, happened: 0 } as KeptRule; // the page sends whole rules
      lab.rules = [...lab.rules, rule];
      return { data: rule };
    },
    removeFault({ params }) {
      lab.rules = lab.rules.filter(({ ruleId }) => ruleId !== (params as { ruleId: string }).ruleId); // what removeFault takes
      return done;
    },
    stopFaults() {
      lab.rules = [];
      return done;
    },
    stopLab() {
      lab.rules = [];
      lab.clock = { ...lab.clock, offset: 0, still: false, pending: 0 };
      return done;
    },
    changeClock({ body }) {
      const { move = 0, still = lab.clock.still } = body as { move?: number; still?: boolean }; // the call's
      lab.clock = { ...lab.clock, offset: lab.clock.offset + move, still };
      return { data: lab.clock };
    },
    resetClock() {
      lab.clock = { ...lab.clock, offset: 0, still: false, pending: 0 };
      return { data: lab.clock };
    },
    getLabBatches: () => ({ data: [batch] }),
    stepBatch: () => ({ data: { batchId: 'batch-1', status: 'Processing' } }),
    getLabWebhooks: () => ({ data: [webhook] }),
    explainSignature: () => ({ data: explained }),
    sendWebhookAgain: () => ({ data: { to: ['http://console.example/notifications'] } }),
    sendWebhooksAgain: () => ({ data: { count: 2, to: ['http://a.example/', 'http://b.example/'] } }),
    checkWebhook: () => ({ data: { ...explained, given: [], problems: ['webhook-signature: the header is missing'] } }),
    setReceiver({ body }) {
      lab.receiver = body as unknown as { url: string }; // what setReceiver takes: the answering server is given any call's body
      return done;
    },
    removeReceiver() {
      lab.receiver = { url: null };
      return done;
    },
    emptySandbox: () => done,
  };
  return lab;
}
