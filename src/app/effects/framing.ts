import { provideEffects } from '#machines/lib/effect.ts';
import { frameMachine } from '#machines/lib/frame.machine.ts';
import { call } from '../client/client.ts';

export const frame = provideEffects(frameMachine, {
  readFraming: async ({ link }, signal) => (await call('getFraming', { query: { link }, signal })).data,
});
