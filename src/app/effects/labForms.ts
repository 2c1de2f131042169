import type { Body } from '#contract/shapes.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import {
  rowsKind,
  type Row,
  type RowAct,
  situationKind,
  type CheckedSituation,
  type OpenAct,
  type OpenedSituation,
} from '#machines/lab/resources.ts';
import type { LabBatch, SentWebhook } from '#contract/lab.ts';
import type { ProgramCheck } from '#contract/programShapes.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { isOpen } from '#rules/lab.ts';
import { movedBy, receivedOf, ruleOf } from '#rules/labForms.ts';
import { call } from '../client/client.ts';
import { withLabEvent } from '../client/recordEvents.ts';
import { labNews } from './lab.ts';
import { programNews } from './programs.ts';
import { newsOf, resource } from './resource.ts';
import { isProblem } from '#contract/isProblem.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import type { SituationFile } from '#contract/situation.ts';
import { decodeText } from '#rules/decodeText.ts';

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
    return (await withLabEvent(call('sendWebhooksAgain', { body }))).data;
  },
});

export const signatureCheck = provideEffects(labFormMachine, {
  submit: async (values) => (await call('checkWebhook', { body: receivedOf(values) })).data,
});

export const emptying = resource<null, { act: 'empty' }, null>({
  // The console's companies end with it.
  kind: { asks: () => true, changesFacts: () => true },
  async act() {
    await withLabEvent(call('emptySandbox', {}));
    return null;
  },
});

export type BatchRow = Row & LabBatch;
export type WebhookRow = Row & SentWebhook;
/** `isSet`: whether the fault that exercises the check is set and has not happened yet. */
export type CheckRow = Row & ProgramCheck & { isSet: boolean };

/** A list with these effects, which is read again on news of the lab. */
const rows = <Each extends Row>(
  read: (signal: AbortSignal) => Promise<Each[]>,
  act: (act: RowAct, signal: AbortSignal) => Promise<unknown>,
  news = labNews,
) =>
  resource({
    kind: rowsKind,
    news,
    read: (_: null, signal: AbortSignal): Promise<readonly Each[]> => read(signal),
    act,
  });

export const batchRows = rows<BatchRow>(
  async (signal) =>
    (await call('getLabBatches', { signal })).data.map((batch) => ({
      ...batch,
      id: batch.batchId,
      may: batch.next === null ? [] : ['step'],
    })),
  async ({ id: batchId }) => (await call('stepBatch', { params: { batchId } })).data,
);

export const webhookRows = rows<WebhookRow>(
  async (signal) =>
    (await call('getLabWebhooks', { signal })).data.map((webhook) => ({
      ...webhook,
      id: webhook.webhookId,
      may: ['again', 'explain'],
    })),
  async ({ id, ids = [id], act }) => {
    if (act === 'explain') return (await call('explainSignature', { params: { webhookId: id } })).data;
    const to = new Set<string>();
    for (const webhookId of ids)
      for (const each of (await call('sendWebhookAgain', { params: { webhookId } })).data.to) to.add(each);
    return { to: [...to] };
  },
);

const readChecks = async (signal: AbortSignal) => (await call('getProgramChecks', { signal })).data;

export const checkRows = rows<CheckRow>(
  async (signal) => {
    const checks = await readChecks(signal);
    // Without the embedded sandbox there are neither checks nor a lab.
    const rules = checks.length === 0 ? [] : (await call('getLab', { signal })).data.rules.filter(isOpen);
    return checks.map((check) => {
      const fault = JSON.stringify(check.exercise?.fault);
      const isSet = rules.some(
        (rule) =>
          rule.on === check.exercise?.on && rule.of === check.exercise.of && JSON.stringify(rule.fault) === fault,
      );
      return { ...check, isSet, may: check.exercise === null || isSet ? [] : ['exercise'] };
    });
  },
  async (act, signal) => {
    const check = (await readChecks(signal)).find(({ id }) => id === act.id);
    return check?.exercise ? (await withLabEvent(call('setFault', { body: check.exercise }))).data : null;
  },
  newsOf(labNews, programNews),
);

/** The largest file that is read (bytes); the server takes less. */
const mostBytes = 64 * 1024 * 1024;

/** Reads a situation. Throws an error whose message is a sentence, if the file is none. */
async function situationIn(file: File): Promise<SituationFile> {
  const none = new Error(
    `${file.name} is no situation, or not all of it: choose a file that “Save situation” has saved.`,
  );
  if (file.size > mostBytes) throw none;
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new Error(
      `${file.name} cannot be read: it is a folder, or was moved or changed since it was chosen. Choose it again.`,
    );
  }
  let value: unknown;
  try {
    value = jsonIn(decodeText(new Uint8Array(bytes), file.name));
  } catch {
    throw none;
  }
  if (!isObject(value) || value['kind'] !== 'payments-out-situation') throw none;
  return value as unknown as SituationFile; // the server checks the rest
}

/** Says of a refused file where it is wrong. Rejects as the call does. */
async function named<Answer>({ name }: File, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    const [first] = (isProblem(error) && error.errors) || [];
    if (!isProblem(error) || (!first && error.code !== 'too-large')) throw error;
    const detail = first
      ? `${name} cannot be opened, perhaps because it was changed since it was saved. ${first.path}: ${first.message}.`
      : `${name} cannot be opened: ${error.detail}`;
    throw { ...error, detail }; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems
  });
}

export const situationFile = resource({
  kind: situationKind,
  /** Refuses what is no situation, and says what opening would end. */
  async read(file: File, signal: AbortSignal): Promise<CheckedSituation> {
    const body = await situationIn(file);
    return { file, ...(await named(file, call('checkSituation', { body, signal }))).data };
  },
  async act({ file }: OpenAct): Promise<OpenedSituation> {
    if (!file) throw new Error('No file was checked.');
    const body = await situationIn(file);
    return (await named(file, withLabEvent(call('openSituation', { body })))).data;
  },
});
