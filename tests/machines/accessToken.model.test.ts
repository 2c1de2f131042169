import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { tokenShown } from './token.models.ts';

const ofLive = { ...factsAfter('company'), environment: 'live' as const };

async function openToken() {
  const running = live(accessTokenMachine, { input: { facts: ofLive } });
  await running.answer('obtainToken', tokenShown(secretIsSet));
  return { ...running, token: () => running.actor.getSnapshot().context.token?.token };
}

describe('the access token page of a live service', () => {
  it('shows a masked token, and the token itself only on request (behaviour 2.17)', async () => {
    const { send, answer, calls, token } = await openToken();
    expect(token()).toBe(secretIsSet);
    await send({ type: 'token.reveal' });
    expect(calls.map(({ input }) => input)).toEqual([{ reveal: false }, { reveal: true }]);
    await answer('obtainToken', tokenShown('header.payload.signature'));
    expect(token()).toBe('header.payload.signature');
  });

  it('masks the token again after 20 seconds (behaviour 10.8.1)', async () => {
    const { send, answer, pass, actor, token } = await openToken();
    await send({ type: 'token.reveal' });
    await answer('obtainToken', tokenShown('header.payload.signature'));
    await pass(19_999);
    expect(token()).toBe('header.payload.signature');
    await pass(1);
    expect(token()).toBe(secretIsSet);
    expect(actor.getSnapshot().value).toBe('masked');
  });

  it('masks the token at once when the user hides it', async () => {
    const { send, answer, actor, token } = await openToken();
    await send({ type: 'token.reveal' });
    await answer('obtainToken', tokenShown('header.payload.signature'));
    await send({ type: 'token.hide' });
    expect(token()).toBe(secretIsSet);
    expect(actor.getSnapshot().value).toBe('masked');
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('signature');
  });
});

it('the access token page of the sandbox shows the token at once, and until it is left (behaviour 2.17)', async () => {
  const { answer, calls, pass, send, actor } = live(accessTokenMachine, { input: { facts: factsAfter('company') } });
  await answer('obtainToken', tokenShown('header.payload.signature'));
  expect(calls.map(({ input }) => input)).toEqual([{ reveal: true }]);
  await pass(600_000);
  expect(actor.getSnapshot()).toMatchObject({
    value: 'shown',
    context: { token: { token: 'header.payload.signature' } },
  });
  await send({ type: 'form.cancel' });
  expect(actor.getSnapshot().value).toBe('cancelled');
});
