import {
  sendAgainKind,
  type SendAgain,
  type StoredCall,
  unreadKind,
  type MarkAsRead,
  type WebhookPage,
  sessionKind,
  testKind,
  type MakeTest,
  type Session,
} from '#machines/lab/resources.ts';
import type { Answer } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { callOf } from '#rules/replay.ts';
import { call } from '../client/client.ts';
import { connection } from '../client/connection.ts';
import { sendRecorded } from '../client/sendRecorded.ts';
import { resource, withFacts } from './resource.ts';
import { faultOnArrowMachine, type FaultedRun } from '#machines/lab/faultOnArrow.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { isOpen } from '#rules/lab.ts';
import { publishRecordEvent, withLabEvent } from '../client/recordEvents.ts';
import { labNews } from '#contract/constants.ts';
import { decodeText } from '#rules/decodeText.ts';
import { importWithRetry } from '../client/importWithRetry.ts';

/** The recorded calls of the page under an interaction id, oldest first. */
async function callsUnder(interaction: string, signal: AbortSignal): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const query = { interaction, kind: 'call', limit: '100', ...(next && { after: next }) };
    const page: Answer<'getTimeline'> = await call('getTimeline', { query, signal });
    found.push(...page.data);
    ({ next } = page);
  }
  return found.toReversed();
}

/** The call that an entry belongs to, which can be sent again; answers the id of the new call's entry. */
export const sendingAgain = (entry: TimelineEntry) =>
  resource({
    kind: sendAgainKind,
    news(wake) {
      const telling = connection.on(
        'entry',
        (told) => void (told.entry.interactionId === entry.interactionId && wake()),
      );
      return () => telling.unsubscribe();
    },
    async read(_: null, signal: AbortSignal): Promise<StoredCall> {
      return { call: callOf(entry, await callsUnder(entry.interactionId, signal)) ?? null };
    },
    // Not aborted with the page: what was sent is reported.
    act: async (repeat: SendAgain) => (await sendRecorded(repeat)).id,
  });

/** Makes the file of a test; answers its name and text. */
export const testMaking = resource({
  kind: testKind,
  act: async ({ entry, runner }: MakeTest) =>
    (await call('getTest', { params: { entryId: entry.id }, query: { runner } })).data,
});

/** The latest unread webhooks. A page's actions may mark some, after which the facts are read again. */
export const unreadWebhooks = resource({
  kind: unreadKind,
  news: withFacts,
  read: (_: null, signal: AbortSignal): Promise<WebhookPage> => call('listWebhooks', { signal }),
  async act({ ids }: MarkAsRead) {
    await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify(ids) } });
    return null;
  },
});

/** Narrows the run, which its event has set. Throws if it is null. */
function chosen(run: FaultedRun | null): FaultedRun {
  if (run === null) throw new Error('No fault was chosen');
  return run;
}

export const faultOnArrow = provideEffects(faultOnArrowMachine, {
  async run(given) {
    const { rule, repeat } = chosen(given);
    await withLabEvent(call('setFault', { body: rule }));
    const { id, status } = await sendRecorded(repeat);
    return { id, succeeded: status >= 200 && status < 300 };
  },
  async disarm(given) {
    const { rule } = chosen(given);
    const { rules } = (await call('getLab', {})).data;
    const set = rules.filter((each) => each.seed === rule.seed && each.on === rule.on && each.of === rule.of);
    const unhit = set.filter(isOpen);
    for (const { ruleId } of unhit) await call('removeFault', { params: { ruleId } });
    // Only then: news of the lab has a fault that could not be removed tried again.
    if (unhit.length > 0) publishRecordEvent(labNews);
    return unhit.length > 0;
  },
});

const notLive = 'This console uses a live service: open the file in a console that uses a sandbox.';

/** A session of the user's file. Where the service is live, none is read. */
export const sessionOf = (isSandbox: boolean) =>
  resource({
    kind: sessionKind,
    async read(file: File): Promise<Session> {
      if (!isSandbox) throw new Error(notLive);
      // Few open a file, and masking its secrets needs much code.
      const { readSession, sessionLimits } = await importWithRetry(() => import('#rules/harSession.ts'));
      if (file.size > sessionLimits.bytes)
        throw new Error(`It has ${file.size} bytes: give a file of at most ${sessionLimits.bytes} bytes.`);
      return { name: file.name, ...readSession(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')) };
    },
  });
