import { programsMachine } from '#machines/lab/programs.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { environmentFile } from '#rules/environmentFile.ts';
import { call } from '../client/client.ts';
import { copyText } from '../client/clipboard.ts';
import { connection } from '../client/connection.ts';
import { publishRecordEvent, subscribeToRecord } from '../client/recordEvents.ts';
import { newsOf, whenVisible, type News, every, resource, withFacts } from './resource.ts';
import { environmentKind, verdictKind, type FollowedVerdict, type ValueAct } from '#machines/lab/resources.ts';

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

/** What a program needs to call the service. A secret comes only with the act that asks for it. */
export const environment = resource({
  kind: environmentKind,
  news: withFacts,
  read: async (_: null, signal: AbortSignal) => (await call('getProgramEnvironment', { signal })).data,
  /** Resolves with the secret that is revealed; '' otherwise. */
  async act({ act, variable }: ValueAct): Promise<string> {
    const { data } = await call('getProgramEnvironment', { query: { reveal: variable } });
    const { value = '' } = data.find(({ variables }) => variables.includes(variable)) ?? {};
    if (act === 'reveal') return value;
    await copyText(variable === 'all' ? environmentFile(data) : value, variable === 'all' ? '.env' : variable);
    return '';
  },
});

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
