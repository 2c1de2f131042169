import { workspaceMachine, type Owner } from '#machines/onboarding/workspace.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { ownBody } from '#rules/ownForm.ts';
import { call } from '../client/client.ts';
import type { Facts } from '#contract/facts.ts';
import { missingExamples } from '#machines/settings/changes.ts';
import { likeExamples, dropDrafts } from '../client/drafts.ts';
import { resource } from './resource.ts';

/** Makes a company, or an organisation without a company, the current one, which this tab then shows. */
export const makeCurrent = ({ organisationId, companyId, companyKey }: Owner): Promise<unknown> =>
  call('setSetting', {
    ...(companyKey !== undefined && { companyKey }),
    body: companyId ? { key: 'companyId', value: companyId } : { key: 'organisationId', value: organisationId },
  });

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

/** Begins the guided path with the examples of the sandbox; `facts` are what the page shows. */
interface TakeExamples {
  act: 'take';
  facts: Facts;
}

const missing = ({ facts }: TakeExamples) => missingExamples({ facts, queue: [] });

/** The settings, of which those with an example are still to be set. All examples are saved, or none. */
export const exampleStart = resource({
  kind: { permits: (act: TakeExamples) => missing(act).length > 0, changesFacts: () => true },
  async act(take: TakeExamples, signal) {
    const body = Object.fromEntries(missing(take).map(({ key, value }) => [key, value]));
    await call('changeSettings', { body, signal });
    likeExamples();
    return null;
  },
});

/** Ends the user's session, and leaves the page; the next user of this tab must not see this user's input. */
export async function signOut(): Promise<never> {
  const { location } = await call('signOut', {});
  dropDrafts();
  window.location.assign(location);
  return new Promise(() => {}); // the page is left
}

export const signingOut = resource({ kind: {}, act: (_: { act: 'signOut' }): Promise<null> => signOut() });
