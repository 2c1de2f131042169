import { describe, expect, it } from 'vitest';
import { usersEvents } from '#machines/lib/chartOf.ts';
import { noDraft } from '#machines/lib/draft.ts';
import { creditorMachine, debtorMachine } from '#machines/party/party.machine.ts';
import { webhookPollInterval } from '#contract/constants.ts';
import { debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { beginDebtor, onLive, openCreditor, openDebtor, refused, sent, waits } from '#tests/support/party.ts';

const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
const lost = (messageId: string) => messageOf({ messageId, kind: 'debtoraccountputs', forwarded: false });
const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };
const held = { messageId: 'put-1', pending: true, held: true };
const retry = { type: 'retry' } as const;
const changes = { type: 'form.change', field: 'debtorAccount.name', value: 'Ours' } as const;
const fills = { type: 'form.fill' } as const;

type Running = Awaited<ReturnType<typeof openDebtor>>;

async function filled(running: Running) {
  await running.send(fills);
  await running.send({ type: 'form.submit' });
  return running;
}

/** Each state of a debtor's form to which something has led that failed, was refused or is pending. */
const reached = {
  unavailable: async (problem = failure, facts = undefined as typeof onLive | undefined) => {
    const running = beginDebtor(facts);
    await running.refuse('loadRules', problem);
    return running;
  },
  'form.refused': async (problem = failure, facts = undefined as typeof onLive | undefined) => {
    const running = await openDebtor([], undefined, facts);
    await running.send(changes);
    await running.send({ type: 'form.change', field: 'debtorAgent.identification', value: '200000' });
    await running.send({ type: 'form.submit' });
    await running.refuse('send', problem);
    return running;
  },
  unresent: async (problem = failure, facts = undefined as typeof onLive | undefined) => {
    const running = await openDebtor([lost('put-1')], undefined, facts);
    await running.send({ type: 'party.another' });
    await running.send({ type: 'message.sendAgain', id: 'put-1' });
    await running.refuse('sendAgain', problem);
    return running;
  },
  pending: async () => {
    const running = await filled(await openDebtor());
    await running.answer('send', held);
    return running;
  },
};

describe.each(['unavailable', 'form.refused', 'unresent'] as const)('a debtor in the state %s', (state) => {
  it.each([
    ['offers a retry of what failed on the way', failure, true],
    ['offers no retry of what was forbidden', { ...failure, code: 'forbidden' as const }, false],
  ])('%s (behaviour 10.2.5)', async (_, problem, isOffered) => {
    const { at, now } = await reached[state](problem);
    expect([at(), now().can(retry), now().hasTag('failed')]).toEqual([state, isOffered, true]);
  });
});

describe('the examples of a debtor', () => {
  it('are offered on the sandbox only, also after a refusal', async () => {
    expect((await openDebtor()).now().can(fills)).toBe(true);
    expect((await openDebtor([], undefined, onLive)).now().can(fills)).toBe(false);
    expect((await reached['form.refused']()).now().can(fills)).toBe(true);
    expect((await reached['form.refused'](failure, onLive)).now().can(fills)).toBe(false);
  });
});

describe('the draft of a debtor', () => {
  it.each(['form.refused', 'unresent', 'pending'] as const)('has what is typed in the state %s', async (state) => {
    const { send, at, now } = await reached[state]();
    await send({ ...changes, value: 'Typed' });
    expect([at(), now().context.draft.fields['debtorAccount.name']]).toEqual(['form.editing', 'Typed']);
  });

  it('has what is typed or filled in the open form and after a refusal', async () => {
    const open = await openDebtor();
    await open.send(changes);
    expect(open.now().context.draft.fields).toEqual({ 'debtorAccount.name': 'Ours' });
    for (const { send, now } of [open, await reached['form.refused']()]) {
      expect(now().context.likesExamples).toBe(false);
      await send(fills);
      expect(now().context).toMatchObject({ draft: { fields: now().context.values }, likesExamples: true });
    }
  });

  it.each([
    ['while one is awaited', []],
    ['while the page of its provider is open', [link]],
  ])('stands in the form of another one that is begun %s', async (_, links) => {
    const { hear, send, at, now } = await openDebtor([put], { ...noDraft, fields: { 'debtorAccount.name': 'Ours' } });
    for (const outcome of links) {
      await hear(outcome);
      await send({ type: 'authorise.open' });
    }
    await send({ type: 'party.another' });
    expect([at(), Object.values(now().context.values)]).toEqual(['form.editing', ['Ours', '']]);
  });
});

describe('the confirmation of a second debtor with the same values', () => {
  const open = async () => {
    const running = await reached.pending();
    await running.send({ type: 'party.again' });
    return running;
  };

  it('is taken back by a change after a lost message could not be resent', async () => {
    const running = await openDebtor([lost('put-0')]);
    await running.send({ type: 'party.another' });
    await filled(running);
    await running.answer('send', held);
    await running.send({ type: 'party.again' });
    await running.refuse('send', failure);
    await running.send({ type: 'message.sendAgain', id: 'put-0' });
    await running.refuse('sendAgain', failure);
    expect(running.at()).toBe('unresent');
    await running.send({ ...changes, value: 'Typed' });
    await running.send({ type: 'form.submit' });
    expect(running.pending('send').input).toMatchObject({ again: false });
  });

  it.each([changes, fills])('is taken back by $type in the form after another message was resent', async (event) => {
    const running = await openDebtor([lost('put-0')]);
    await running.send({ type: 'party.another' });
    await filled(running);
    await running.answer('send', held);
    await running.send({ type: 'party.again' });
    await running.refuse('send', failure);
    await running.send({ type: 'message.sendAgain', id: 'put-0' });
    await running.answer('sendAgain', { ...lost('put-0'), forwarded: true });
    expect([running.at(), running.now().context.again]).toEqual(['form.editing', true]);
    await running.send(event);
    await running.send({ type: 'form.submit' });
    expect(running.pending('send').input).toMatchObject({ again: false });
  });

  it('stands while the same request is tried again, and is over once its answer is awaited elsewhere', async () => {
    const { refuse, send, pending, answer, at } = await open();
    await refuse('send', failure);
    await send(retry);
    expect(pending('send').input).toMatchObject({ again: true });
    await answer('send', held);
    expect(at()).toBe('pending');
    await send(changes);
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });

  it.each([
    ['while it is awaited', []],
    ['while the provider’s page is open', [link]],
  ])('is over in the form of another one that is begun %s, with the same values', async (_, links) => {
    const { answer, hear, send, pending } = await open();
    await answer('send', sent('put-2'));
    for (const outcome of links) {
      await hear(outcome);
      await send({ type: 'authorise.open' });
    }
    await send({ type: 'party.another' });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });
});

describe('a debtor that is being sent', () => {
  const ways = ['party.another', 'form.cancel', 'retry', 'authorise.open'] as const;
  const offered = ({ now }: Running) => ways.filter((type) => now().can({ type }));

  it('is not left before the service has it, then can be left for another or altogether', async () => {
    const running = await filled(await openDebtor());
    expect([running.at(), offered(running)]).toEqual(['messaging.sending', []]);
    await running.answer('send', sent('put-1'));
    expect([running.at(), offered(running)]).toEqual(['messaging.waiting', ['party.another', 'form.cancel']]);
    await running.send({ type: 'form.cancel' });
    expect(running.now().output).toEqual({ type: 'cancelled' });
  });

  it('can be left for another one, whose form shows no failure, while its status cannot be read', async () => {
    const { pass, refuse, send, at, now } = await openDebtor([put]);
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(now().context.failure).toEqual(failure);
    await send({ type: 'party.another' });
    expect([at(), now().context.failure]).toEqual(['form.editing', null]);
  });

  it('shows no earlier failure in any moment', async () => {
    const { send, actor, pending } = await reached['form.refused']();
    const shown: unknown[] = [];
    actor.subscribe(({ value, context }) => value === 'messaging' && shown.push(context.failure));
    await send(retry);
    expect(pending('send').input).toMatchObject({ request: 'put' });
    expect(new Set(shown)).toEqual(new Set([null]));
  });

  it('can be cancelled while its provider’s page is open, which is tried again only after a failure', async () => {
    const running = await openDebtor([put]);
    await running.hear(link);
    await running.send({ type: 'authorise.open' });
    expect([running.at(), offered(running)]).toEqual(['approving.waiting', ['party.another', 'form.cancel']]);
    await running.pass(webhookPollInterval);
    await running.answer('watch', { ...link, authorise: 'http://provider.test/authorise/2' });
    expect(running.at()).toBe('approving.waiting');
    for (const known of [running.now().context.outcome, running.now().context.pending[0]])
      expect(known?.authorise).toBe('http://provider.test/authorise/2');
    await running.pass(webhookPollInterval);
    await running.refuse('watch', failure);
    expect(offered(running)).toEqual(['party.another', 'form.cancel', 'retry']);
    await running.send({ type: 'form.cancel' });
    expect(running.now().output).toEqual({ type: 'cancelled' });
  });
});

describe('a debtor whose lost message is resent', () => {
  it('names the message, without an earlier failure, and can be cancelled or tried again once that failed', async () => {
    const { send, at, message, now, actor } = await reached.unresent();
    expect([now().can(retry), now().can({ type: 'form.cancel' })]).toEqual([true, true]);
    const shown: unknown[] = [];
    actor.subscribe(({ value, context }) => value === 'resending' && shown.push(context.failure));
    await send(retry);
    expect([at(), message().messageId, now().context.invoked?.value]).toEqual([
      'resending.resending',
      'put-1',
      'resending',
    ]);
    expect(new Set(shown)).toEqual(new Set([null]));
  });

  it('is sent again from there only if its outcome is unknown', async () => {
    const { now } = await reached.unresent();
    const again = (id: string) => now().can({ type: 'message.sendAgain', id });
    expect([again('put-1'), again('put-2')]).toEqual([true, false]);
  });

  it('leaves the form to be sent after a failure', async () => {
    const running = await openDebtor([lost('put-1')], { ...noDraft, fills: true });
    await running.send({ type: 'party.another' });
    await running.send({ type: 'message.sendAgain', id: 'put-1' });
    await running.refuse('sendAgain', failure);
    await running.send({ type: 'form.submit' });
    expect([running.at(), running.pending('send').input]).toMatchObject(['messaging.sending', { request: 'put' }]);
  });

  it('is cancelled after a failure', async () => {
    const { send, now } = await reached.unresent();
    await send({ type: 'form.cancel' });
    expect(now().output).toEqual({ type: 'cancelled' });
  });
});

describe('the forms of debtors and creditors', () => {
  it('have the fields of the rules of their own request', async () => {
    const fieldsOf = (form: { fields: readonly { id: string }[] }) => form.fields.map(({ id }) => id);
    expect(fieldsOf((await openDebtor()).now().context.form)).toEqual(['debtorAccount.name', 'debtorAgent.identification']); // prettier-ignore
    expect(fieldsOf((await openCreditor()).now().context.form)).toEqual(['creditor.name']);
  });

  it.each([
    [debtorMachine, 'debtor'],
    [creditorMachine, 'creditor'],
  ])('%# name on their button what they create', (machine, what) => {
    expect(usersEvents(machine).get('form.submit')).toContain(`Press “Create ${what}”`);
  });
});

it('a debtor whose rules could not be read can be left or tried again', async () => {
  const { send, at, asked, now } = await reached.unavailable();
  expect(now().can({ type: 'form.cancel' })).toBe(true);
  await send(retry);
  expect([at(), asked('loadRules').length, now().context.failure]).toEqual(['loading', 2, null]);
  const left = await reached.unavailable();
  await left.send({ type: 'form.cancel' });
  expect(left.now().output).toEqual({ type: 'cancelled' });
});

it('a debtor that is pending can be changed, awaited, confirmed or left', async () => {
  const { send, now } = await reached.pending();
  for (const type of ['answer.await', 'party.again', 'form.cancel'] as const) expect(now().can({ type })).toBe(true);
  await send({ type: 'form.cancel' });
  expect(now().output).toEqual({ type: 'cancelled' });
});

it('a debtor that is refused says why in the form, with the provider’s words', async () => {
  const { hear, now, at } = await openDebtor([put]);
  await hear(refused);
  expect([at(), now().context.failure?.detail]).toEqual(['form.refused', refused.detail]);
});
