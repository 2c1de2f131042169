import { programsMachine } from '#machines/lab/programs.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../client/client.ts';
import { connection } from '../client/connection.ts';
import { publishRecordEvent, subscribeToRecord } from '../client/recordEvents.ts';
import { newsOf, whenVisible, type News, every, resource } from './resource.ts';
import { verdictKind, type FollowedVerdict } from '#machines/lab/resources.ts';

export const programs = provideEffects(programsMachine, {
  readPrograms: async (_, signal) => (await call('getPrograms', { signal })).data,
  make: async (name) => (await call('makeProgramToken', { body: { name } })).data,
  confirm: async (tokenId) => {
    await call('confirmProgramToken', { params: { tokenId } });
  },
  revoke: async (tokenId) => {
    await call('revokeProgramToken', { params: { tokenId } });
  },
});

/** The page's own id of news that a program has called. */
const programId = 'programs';

/** News that the timeline has a new call of a program. */
export const programNews: News = (wake) => {
  const entries = connection.on('entry', ({ entry }) => {
    if (entry.kind === 'program') publishRecordEvent(programId);
  });
  const leave = subscribeToRecord(programId, wake);
  return () => {
    entries.unsubscribe();
    leave();
  };
};

/** What may have changed the tokens: programs use them. */
export const tokenNews = newsOf(whenVisible, programNews);

/** Time (ms) after which the verdict is read again. */
const interval = 2000;

export const verdict = resource({
  kind: verdictKind,
  news: newsOf(whenVisible, every(interval)),
  async read(_: null, signal: AbortSignal): Promise<FollowedVerdict> {
    const { data } = await call('getProgramVerdict', { signal });
    // Without the embedded sandbox there are no webhooks to look at.
    const webhooks = data.connection === null ? [] : (await call('getLabWebhooks', { signal })).data;
    const answered = webhooks
      .flatMap(({ log }) => log)
      .filter(({ receiver, status }) => receiver === 'second' && status >= 200 && status < 300);
    return { ...data, webhookAt: answered.map(({ at }) => at).sort()[0] ?? '' };
  },
});
