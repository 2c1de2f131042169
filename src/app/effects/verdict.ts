import { verdictMachine } from '#machines/lab/verdict.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../api/client.ts';

export const verdict = provideEffects(verdictMachine, {
  async readVerdict(_, signal) {
    const { data } = await call('getProgramVerdict', { signal });
    // Without the embedded sandbox there are no webhooks to look at.
    const webhooks = data.connection === null ? [] : (await call('getLabWebhooks', { signal })).data;
    const answered = webhooks
      .flatMap(({ log }) => log)
      .filter(({ receiver, status }) => receiver === 'second' && status >= 200 && status < 300);
    return { ...data, webhookAt: answered.map(({ at }) => at).sort()[0] ?? '' };
  },
});
