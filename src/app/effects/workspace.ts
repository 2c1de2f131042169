import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { ownBody } from '#rules/ownForm.ts';
import { call } from '../client/client.ts';
import { use as makeCurrent } from '../client/switchCompany.ts';

/** Narrows an effect's input, which the event that started the effect has set. Throws if it is null. */
function given<T>(input: T | null): T {
  if (input === null) throw new Error('Nothing was chosen');
  return input;
}

export const machine = provideEffects(workspaceMachine, {
  use: async (owner) => {
    await makeCurrent(given(owner));
  },
  enter: async (entered) => {
    await call('useExisting', { body: ownBody('existing', entered) });
  },
  remove: async (record) => {
    await call('removeRecord', { body: given(record) });
  },
  revealKey: async (organisationId) => (await call('revealSigningKey', { body: { organisationId } })).signingKey,
  confirmKey: async (organisationId) => {
    await call('confirmSigningKey', { body: { organisationId } });
  },
  restoreKey: async (organisationId) => {
    await call('restoreSigningKey', { body: { organisationId } });
  },
});
