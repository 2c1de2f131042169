// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { cleanup } from '@testing-library/react';
import { press } from '#tests/support/gestures.ts';
import { pathsThrough } from '#tests/support/paths.ts';
import { nowhere, walkOn } from '#tests/support/pathsReplay.ts';
import { openScreen, type Drawn } from '#tests/support/screen.tsx';
import { drawnAs } from './screenPaths.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const account = drawnAs('account');
const { gestures } = account.screen;

/** Runs the account machine's path of this name on the journey's screen. */
function run(drawn: Drawn, name: string): Promise<void> {
  const path = pathsThrough(account.model).find((each) => each.name.endsWith(name));
  if (!path) throw new Error(`There is no path ${name}`);
  const walk = nowhere();
  return walkOn(openScreen(drawn, path, walk), account.model, path, walk);
}

const submit = 'after opening with an account, form.submit, form.submit';

describe('the replay of a path in the DOM', () => {
  it('completes on a correct screen', async () => {
    await expect(run(account, submit)).resolves.toBeUndefined();
  });

  it('reports an event without a gesture', async () => {
    const { 'form.submit': _none, ...others } = gestures;
    await expect(run({ ...account, screen: { gestures: others, shows: {} } }, submit)).rejects.toThrow(
      'Nobody says how a user makes form.submit',
    );
  });

  it('reports a control that the screen lacks', async () => {
    const screen = { ...account.screen, gestures: { ...gestures, 'form.submit': press('Send') } };
    await expect(run({ ...account, screen }, submit)).rejects.toThrow('The screen has no button named Send');
  });

  it('reports a gesture that causes another event', async () => {
    const screen = { ...account.screen, gestures: { ...gestures, 'form.submit': press('Cancel') } };
    await expect(run({ ...account, screen }, submit)).rejects.toThrow(
      'The gesture for {"type":"form.submit"} makes {"type":"form.cancel"}',
    );
  });

  it('reports a step that renders nothing', async () => {
    await expect(run({ ...account, Step: () => null }, submit)).rejects.toThrow(
      'At the start, in form.editing (active): the screen lacks the step',
    );
  });

  it('reports an error that the step does not show', async () => {
    const Silent: Drawn['Step'] = ({ actor }: { actor: { send: (event: object) => void } }) => (
      <>
        <button onClick={() => actor.send({ type: 'form.submit' })}>Create account</button>
      </>
    );
    await expect(run({ ...account, Step: Silent }, submit)).rejects.toThrow(
      'in form.invalid (active): the screen lacks the error "External id: enter a value of at most 1000 characters, such as account-0001"',
    );
  });

  it('reports text shown in the wrong state', async () => {
    const screen = { ...account.screen, shows: { invalid: 'Create account' } };
    await expect(run({ ...account, screen }, submit)).rejects.toThrow(
      'in form.editing (active): the screen shows "Create account"',
    );
  });
});
