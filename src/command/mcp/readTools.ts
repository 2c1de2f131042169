import { z } from 'zod';
import { call } from '#app/client/client.ts';
import type { SentWebhook } from '#contract/lab.ts';
import { receivedWebhookSchema } from '#contract/controlShapes.ts';
import { lookupShapes, type Rule } from '#contract/lookup.ts';
import { timelineShapes, type TimelineEntry, type TimelineMessage } from '#contract/timeline.ts';
import { marksOf } from '#rules/entryMarks.ts';
import { faultTitle } from '#rules/lab.ts';
import { faultOf } from '#rules/timeline.ts';
import { standingOf } from './sandboxTools.ts';
import { tool, type Tool } from './tool.ts';

/** Number of entries in a list unless another one is asked for. */
const usualLength = 20;
/** Number of characters of a body that are given at once. */
const partLength = 4000;

const fromShape = { from: z.int().min(0).default(0).describe('the character of the body from which to read') };

/** A part of a body, and from where the next part is read. */
function partOf(body: string, from: number) {
  const to = from + partLength;
  return { body: body.slice(from, to), ...(body.length > to && { next: to, length: body.length }) };
}

const messageOf = ({ headers, body, truncated }: TimelineMessage, from: number) => ({
  headers,
  ...partOf(body, from),
  ...(truncated && { truncated }),
});

/** A fault by its name, and by its kind, as `add_fault` takes it. */
const faultWords = (kind: string): string => `fault ${faultTitle(kind)} (${kind})`;

/** An entry in one line of a list. */
const lineOf = (entry: TimelineEntry) => {
  const { id, kind, name, method, url, status, reason, wrong = [] } = entry;
  const fault = faultOf(entry);
  return [
    `${id} ${kind} ${name}: ${method} ${url} ${status || reason}`,
    fault && faultWords(fault),
    ...marksOf(entry).flatMap(({ says, tone }) => (tone === 'waiting' ? [] : [says])),
    wrong.length > 0 && `mistakes ${wrong.length}`,
  ]
    .filter(Boolean)
    .join(', ');
};

/** A webhook in one line of a list. */
const webhookLine = ({ webhookId, type, at, delivered, attempts, mark, late }: SentWebhook): string =>
  `${webhookId} ${type} ${at}, ${delivered ? 'delivered' : 'not delivered'} after ${attempts} attempts${late ? ', late' : ''}${mark ? `, ${faultWords(mark.kind)}` : ''}`;

/** The entry with this id. Rejects if there is none. */
async function entryOf(callId: string): Promise<TimelineEntry> {
  const [entry] = (await call('getTimeline', { query: { entry: callId, limit: '1' } })).data;
  if (!entry) throw new Error(`There is no call ${callId}: list_calls has the ids at the beginning of its lines`);
  return entry;
}

/** A rule in one line: to what it applies, and what it asks for. */
function ruleLine({ ruleId, validation, sourceValidation }: Rule): string {
  const {
    apiPath = '',
    jsonPath = '',
    optionality,
    fieldType,
    uiLabel,
    regex,
    example,
    enumeration,
  } = validation ?? sourceValidation ?? {};
  return [
    `${ruleId}: ${apiPath} ${jsonPath}`,
    optionality ?? 'Optional',
    fieldType,
    uiLabel,
    regex !== undefined && `pattern ${regex}`,
    enumeration && `one of ${enumeration.map(({ value }) => value).join(', ')}`,
    example !== undefined && `such as ${example}`,
  ]
    .filter(Boolean)
    .join('; ');
}

const { country, language } = lookupShapes.getProviders.query.shape;

/** The tools that read. */
export const readTools: readonly Tool[] = [
  tool({
    name: 'read_state',
    title: 'Read the state of the sandbox',
    says: 'Returns the sandbox’s address, the ids of the current company, the journeys left on the guided path, the faults, the clock and the receiver of webhooks. The page at that address shows a person the credentials.',
    effect: 'reads',
    input: z.strictObject({}),
    async run(_, { session }) {
      const opened = await session();
      const { rules, clock, receiver } = (await call('getLab', {})).data;
      return { ...standingOf(await opened.facts(), opened), faults: rules, clock, receiver: receiver.url };
    },
  }),
  tool({
    name: 'list_calls',
    title: 'List calls',
    says: 'Lists the recorded calls, newest first, one a line: id, kind, name, method, address, status. Kinds: `call` to the console, `service` from the console to the sandbox, `program` from your program, `webhook`. read_call has more of one; `after` the cursor of the next page; `since` only entries after that id.',
    effect: 'reads',
    input: z.strictObject({
      ...timelineShapes.getTimeline.query.shape,
      since: z.string().regex(/^\d+$/, 'the id of an entry').optional(),
    }),
    async run({ since, ...query }, { session }) {
      await session();
      const { data, total, next } = await call('getTimeline', { query: { limit: String(usualLength), ...query } });
      const shown = since === undefined ? data : data.filter(({ id }) => Number(id) > Number(since));
      const isAll = shown.length < data.length;
      return { total, calls: shown.map(lineOf), ...(next && !isAll && { after: next }) };
    },
  }),
  tool({
    name: 'read_call',
    title: 'Read a call',
    says: 'Returns one recorded call with headers, bodies, mistakes and the text that was signed. Secrets are placeholders such as $TOKEN.',
    effect: 'reads',
    input: z.strictObject({ callId: z.string(), ...fromShape }),
    async run({ callId, from }, { session }) {
      await session();
      const { request, response, ...entry } = await entryOf(callId);
      return { ...entry, request: messageOf(request, from), response: messageOf(response, from) };
    },
  }),
  tool({
    name: 'list_webhooks',
    title: 'List webhooks',
    says: 'Lists the webhooks that the sandbox has sent or should have sent, newest first, one a line: id, type, whether it was delivered; `after` the cursor of the next page. With `webhookId` one of them, with its body and each attempt to deliver it.',
    effect: 'reads',
    input: z.strictObject({ webhookId: z.string().optional(), after: z.string().optional(), ...fromShape }),
    async run({ webhookId, after, from }, { session }) {
      await session();
      const { data } = await call('getLabWebhooks', {});
      if (webhookId === undefined) {
        const begin = after === undefined ? 0 : data.findIndex((each) => each.webhookId === after) + 1;
        if (after !== undefined && begin === 0)
          throw new Error(`There is no webhook ${after}: give the id with which a list has ended`);
        const shown = data.slice(begin, begin + usualLength);
        const last = shown.at(-1)?.webhookId;
        const isAll = begin + shown.length >= data.length;
        return { total: data.length, webhooks: shown.map(webhookLine), ...(!isAll && { after: last }) };
      }
      const found = data.find((each) => each.webhookId === webhookId);
      if (!found) throw new Error(`There is no webhook ${webhookId}: list_webhooks has the ids`);
      return { ...found, ...partOf(found.body, from) };
    },
  }),
  tool({
    name: 'explain_signature',
    title: 'Explain a signature',
    says: 'Explains one of: a webhook of the sandbox (`webhookId`), a webhook as your program received it (`received`), or a call in the timeline (`callId`): the text to sign, how it is signed, and the mistake where it was signed otherwise.',
    effect: 'reads',
    input: z.strictObject({
      webhookId: z.string().optional(),
      received: receivedWebhookSchema.optional(),
      callId: z.string().optional(),
    }),
    unmasked: ['signature'],
    async run({ webhookId, received, callId }, { session }) {
      if ([webhookId, received, callId].filter((each) => each !== undefined).length !== 1)
        throw new Error('Give exactly one of webhookId, received and callId');
      await session();
      if (webhookId !== undefined) return (await call('explainSignature', { params: { webhookId } })).data;
      if (received) return (await call('checkWebhook', { body: received })).data;
      const { name, status, baseString, signed, wrong = [] } = await entryOf(callId!); // the third
      if (baseString === '') return { name, status, says: 'This call carries no signature, and needs none.', wrong };
      const how = 'HMAC-SHA1 of baseString with the key and “&null”, in Base64 (wire.md, section 2)';
      return { name, status, how, baseString, ...(signed !== undefined && { signed }), wrong };
    },
  }),
  tool({
    name: 'read_rules',
    title: 'Read the rules of a provider',
    says: 'Lists the providers, or with `providerId` the rules of one: to which call and member each applies, and what it asks for. `apiPath` leaves only the rules of one call. Country and language default to the settings; a provider without texts in that language is read in its own.',
    effect: 'reads',
    input: z.strictObject({
      country,
      language,
      providerId: z.string().optional(),
      apiPath: z.string().optional(),
    }),
    async run({ providerId, apiPath, ...locale }, { session }) {
      await session();
      const { data: spoken } = await call('getProviders', { query: locale });
      const { data: all } = await call('getProviders', { query: { ...locale, language: '' } });
      const data = [...spoken, ...all.filter(({ providerId: id }) => spoken.every((each) => each.providerId !== id))];
      if (providerId === undefined)
        return data.map(({ providerId: id, name, country: countries }) => `${id} ${name} (${countries.join(', ')})`);
      const found = data.find((each) => each.providerId === providerId);
      if (!found) throw new Error(`There is no provider ${providerId} here: without providerId this tool lists them`);
      const rules = found.accountType.validationRules.filter(
        ({ validation }) => apiPath === undefined || validation?.apiPath === apiPath,
      );
      const paths = [...new Set(found.accountType.validationRules.map(({ validation }) => validation?.apiPath))];
      return { provider: found.name, apiPaths: paths, rules: rules.map(ruleLine) };
    },
  }),
];
