import { workspaceMachine, type Entered, type Kept, type Owner } from '#machines/onboarding/workspace.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { use } from '../switching.ts';

/** What a port is run with was put there by the event that led to it. */
function given<T>(input: T | null): T {
  if (input === null) throw new Error('Nothing was chosen');
  return input;
}

export const machine = workspaceMachine.provide({
  actors: {
    use: fulfil(port<Owner | null, void>('use'), async (owner) => {
      await use(given(owner));
    }),
    enter: fulfil(port<Entered, void>('enter'), async ({ organisationId, companyId, signingKey }) => {
      await call('useExisting', { body: { organisationId, companyId, signingKey } });
    }),
    remove: fulfil(port<Kept | null, void>('remove'), async (record) => {
      await call('removeRecord', { body: given(record) });
    }),
    revealKey: fulfil(
      port<string, string>('revealKey'),
      async (organisationId) => (await call('revealSigningKey', { body: { organisationId } })).signingKey,
    ),
  },
});
