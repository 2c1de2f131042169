import { provideEffects } from '#machines/lib/effect.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { exampleStartMachine } from '#machines/settings/exampleStart.machine.ts';
import { call } from '../api/client.ts';
import { likeExamples } from '../api/drafts.ts';
import type { JourneyCode } from '#machines/console.ts';

/** Reads and writes settings over HTTP, one key and value at a time (behaviour, section 7). */
export const settings = {
  machine: provideEffects(settingsMachine, {
    saveSetting: (change, signal) => call('setSetting', { body: change, signal }),
  }),
} satisfies JourneyCode;

/** Saves the examples of the settings, all or none, and fills each later form of this tab. */
export const exampleStart = provideEffects(exampleStartMachine, {
  async start(changes, signal) {
    await call('changeSettings', { body: Object.fromEntries(changes.map(({ key, value }) => [key, value])), signal });
    likeExamples();
  },
});
