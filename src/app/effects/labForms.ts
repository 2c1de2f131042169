import type { Body } from '#contract/shapes.ts';
import { emptyingMachine } from '#machines/lab/emptying.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { labRowsMachine, type LabRow, type RowAct } from '#machines/lab/labRows.machine.ts';
import type { LabBatch, SentWebhook } from '#contract/labCalls.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { movedBy, receivedOf, ruleOf } from '#rules/labForms.ts';
import { call } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';

export const faultRule = provideEffects(labFormMachine, {
  submit: async (values) => (await withLabEvent(call('setFault', { body: ruleOf(values) }))).data,
});

export const clockMove = provideEffects(labFormMachine, {
  submit: async (values, signal) => {
    const { clock } = (await call('getLab', { signal })).data;
    return (await withLabEvent(call('changeClock', { body: { move: movedBy(values, clock.now) } }))).data;
  },
});

export const receiver = provideEffects(labFormMachine, {
  submit: async ({ url = '' }) => {
    await withLabEvent(call('setReceiver', { body: { url: url.trim() } }));
    return url.trim();
  },
});

export const againSince = provideEffects(labFormMachine, {
  submit: async ({ at = '' }) => {
    const body: Body<'sendWebhooksAgain'> = { since: at.trim() };
    return (await withLabEvent(call('sendWebhooksAgain', { body }))).data.count;
  },
});

export const signatureCheck = provideEffects(labFormMachine, {
  submit: async (values) => (await call('checkWebhook', { body: receivedOf(values) })).data,
});

export const emptying = provideEffects(emptyingMachine, {
  empty: async () => {
    await withLabEvent(call('emptySandbox', {}));
  },
});

export type BatchRow = LabRow & LabBatch;
export type WebhookRow = LabRow & SentWebhook;

/** Narrows the act of a row's machine, which its event has set. Throws if it is null. */
function chosen(act: RowAct | null): RowAct {
  if (act === null) throw new Error('No row was chosen');
  return act;
}

export const batchRows = provideEffects(labRowsMachine, {
  readRows: async (_, signal): Promise<BatchRow[]> =>
    (await call('getLabBatches', { signal })).data.map((batch) => ({
      ...batch,
      id: batch.batchId,
      may: batch.next === null ? [] : ['step'],
    })),
  act: async (act) => (await call('stepBatch', { params: { batchId: chosen(act).id } })).data,
});

export const webhookRows = provideEffects(labRowsMachine, {
  readRows: async (_, signal): Promise<WebhookRow[]> =>
    (await call('getLabWebhooks', { signal })).data.map((webhook) => ({
      ...webhook,
      id: webhook.webhookId,
      may: ['again', 'explain'],
    })),
  act: async (act) => {
    const { id: webhookId, act: name } = chosen(act);
    if (name === 'explain') return (await call('explainSignature', { params: { webhookId } })).data;
    await call('sendWebhookAgain', { params: { webhookId } });
    return null;
  },
});
