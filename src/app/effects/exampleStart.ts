import { provideEffects } from '#machines/lib/effect.ts';
import { exampleStartMachine } from '#machines/settings/exampleStart.machine.ts';
import { call } from '../api/client.ts';
import { likeExamples } from '../api/drafts.ts';

/** Saves the examples of the settings, all or none, and fills each later form of this tab. */
export const exampleStart = provideEffects(exampleStartMachine, {
  async start(changes, signal) {
    await call('changeSettings', { body: Object.fromEntries(changes.map(({ key, value }) => [key, value])), signal });
    likeExamples();
  },
});
