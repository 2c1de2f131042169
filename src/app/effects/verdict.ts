import { verdictKind, type FollowedVerdict } from '#machines/lab/verdict.ts';
import { call } from '../client/client.ts';
import { every, newsOf, resource, whenVisible } from './resource.ts';

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
