import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { stateOf } from '#machines/lib/state.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, suspendBlocked, unknownStatus, updateBlocked } from '#machines/subscription/rows.ts';
import type { Sent } from '#machines/lib/messageOutcome.ts';
import { everything } from '#tests/support/facts.ts';
import { messageOf } from '#tests/support/messages.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { rowOf } from './subscription.models.ts';

const input = { input: { facts: everything } };

const updated = (messageId: string, more: Partial<Sent> = {}): Sent => ({
  messageId,
  pending: false,
  held: false,
  ...more,
});

const rows = [
  rowOf(),
  rowOf({ subscriptionId: 'subscription-2', status: 'Authorised', country: 'CA', current: true }),
  rowOf({ subscriptionId: 'subscription-3', country: 'FR' }),
];

async function openList() {
  const running = live(authorisationMachine, input);
  await running.answer('loadRows', rows);
  return running;
}

describe('the selection of a subscription', () => {
  it.each([
    ['subscription-1', { country: 'GB', language: 'en' }],
    ['subscription-2', { country: 'CA', language: 'en-CA' }],
  ])('sends the country and language of %s', async (id, locale) => {
    const { send, pending } = await openList();
    await send({ type: 'subscription.select', id });
    expect(pending('select').input).toEqual({ subscriptionId: id, providerId: 'provider-1', ...locale });
  });

  it('of an unknown country sets no language and logs a warning', async () => {
    const { send, answer, pending, logged, actor } = await openList();
    await send({ type: 'subscription.select', id: 'subscription-3' });
    expect(pending('select').input).toEqual({
      subscriptionId: 'subscription-3',
      providerId: 'provider-1',
      country: 'FR',
    });
    await answer('select');
    expect(logged).toEqual(['No language is known for country "FR"']);
    expect(actor.getSnapshot()).toMatchObject({ value: { list: 'turned' }, context: { failure: null } });
  });

  it('makes it the only current row', async () => {
    const { send, answer, actor, logged } = await openList();
    await send({ type: 'subscription.select', id: 'subscription-1' });
    await answer('select');
    expect(actor.getSnapshot().context.rows.map(({ current }) => current)).toEqual([true, false, false]);
    expect(logged).toEqual([]);
  });
});

describe('the authorisation of a subscription', () => {
  it('polls every second until the status is decided, with one request at a time', async () => {
    const { send, answer, pass, calls, actor } = await openList();
    const asked = () => calls.filter(({ port }) => port === 'watch').length;
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    await pass(webhookPollInterval);
    await pass(5 * webhookPollInterval);
    expect(asked()).toBe(1);
    await answer('watch', rowOf());
    await pass(webhookPollInterval);
    expect(asked()).toBe(2);
    await answer('watch', rowOf({ status: 'Authorised' }));
    await pass(5 * webhookPollInterval);
    expect(asked()).toBe(2);
    expect(actor.getSnapshot()).toMatchObject({ value: { list: 'listing' } });
    expect(actor.getSnapshot().context.rows[0]?.status).toBe('Authorised');
  });
});

it('the approval page of the current subscription opens once by itself on the guided path (behaviour 4.39)', async () => {
  const current = rowOf({ current: true });
  const { answer, send, actor } = live(authorisationMachine, { input: { facts: everything, guided: true } });
  await answer('loadRows', [rowOf({ subscriptionId: 'subscription-2' }), current]);
  expect(actor.getSnapshot()).toMatchObject({
    value: 'approving',
    context: { invoked: { value: 'waiting' }, chosen: current },
  });
  await send({ type: 'authorise.close' });
  await answer('readRow', current);
  await send({ type: 'retry' });
  await answer('loadRows', [current]);
  expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
});

it.each([
  ['outside the guided path', {}, { current: true }],
  ['for a page that forbids frames', { guided: true }, { current: true, framed: false }],
  ['for a subscription that is not current', { guided: true }, {}],
])('the approval page does not open by itself %s', async (_, opened, row) => {
  const { answer, actor } = live(authorisationMachine, { input: { facts: everything, ...opened } });
  await answer('loadRows', [rowOf(row)]);
  expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
});

describe('the suspension of a subscription', () => {
  it.each([
    [false, true],
    [true, false],
  ])('changes suspended from %s to %s', async (suspended, suspendedByConsumer) => {
    const { answer, send, pending } = live(authorisationMachine, input);
    await answer('loadRows', [rowOf({ status: 'Authorised', suspended })]);
    await send({ type: 'subscription.suspend', id: 'subscription-1' });
    expect(pending('suspend').input).toEqual({ subscriptionId: 'subscription-1', suspendedByConsumer });
  });

  it('is not possible unless the status is Authorised', async () => {
    const { send, actor, calls } = await openList();
    await send({ type: 'subscription.suspend', id: 'subscription-1' });
    expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
    expect(calls.map(({ port }) => port)).toEqual(['loadRows']);
    expect(suspendBlocked(rowOf())).toBe('Only when Authorised');
  });
});

describe('the update of a subscription', () => {
  async function openForm() {
    const { answer, ...running } = live(authorisationMachine, input);
    await answer('loadRows', [rowOf({ status: 'Authorised' })]);
    await running.send({ type: 'subscription.update', id: 'subscription-1' });
    return { answer, ...running };
  }

  it('opens a form with the stored values, validates it and sends it', async () => {
    const { actor, send, pending, calls } = await openForm();
    expect(actor.getSnapshot().context.values).toEqual({ serviceUserNumber: '654321' });
    await send({ type: 'form.change', field: 'serviceUserNumber', value: 'x' });
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().context.errors).toHaveLength(1);
    expect(calls.map(({ port }) => port)).not.toContain('send');
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '111111' });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toEqual({
      request: 'update',
      subscriptionId: 'subscription-1',
      properties: { serviceUserNumber: '111111' },
      again: false,
    });
  });

  it('reports that the provider accepted it, or why it was refused', async () => {
    const { actor, send, answer, pass, pending } = await openForm();
    await send({ type: 'form.submit' });
    await answer('send', updated('message-1'));
    await pass(webhookPollInterval);
    expect(pending('askOutcome').input).toEqual({ messageId: 'message-1' });
    await answer('askOutcome', { state: 'refused', detail: 'Not this number' });
    expect(actor.getSnapshot()).toMatchObject({
      value: { updating: 'refused' },
      context: { failure: { detail: 'Not this number' } },
    });
    await send({ type: 'form.submit' });
    await answer('send', updated('message-2'));
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    await answer('readRow', rowOf({ status: 'Authorised' }));
    await pass(doubleClick);
    expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
    expect(newsOf(actor.getSnapshot().context)).toBe('Example Bacs has accepted the update');
  });

  it('that equals a pending one is followed instead, and marked as the same', async () => {
    const { actor, send, answer, pass, pending } = await openForm();
    await send({ type: 'form.submit' });
    await answer('send', updated('message-1', { pending: true }));
    expect(actor.getSnapshot()).toMatchObject({
      value: { updating: 'messaging' },
      context: { invoked: { value: 'waiting', context: { already: true, messageId: 'message-1' } } },
    });
    await pass(webhookPollInterval);
    expect(pending('askOutcome').input).toEqual({ messageId: 'message-1' });
  });

  it('beside a pending one needs a confirmation, which a change of the form resets', async () => {
    const { actor, send, answer, pending } = await openForm();
    const refused = updated('message-1', { pending: true, held: true });
    const again = () => (pending('send').input as { again: boolean }).again; // the port's input
    await send({ type: 'form.submit' });
    await answer('send', refused);
    expect(actor.getSnapshot().value).toEqual({ updating: 'another' });
    await send({ type: 'update.again' });
    expect(again()).toBe(true);
    await answer('send', refused);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '222222' });
    await send({ type: 'form.submit' });
    expect(again()).toBe(false);
    await answer('send', refused);
    await send({ type: 'answer.await' });
    expect(stateOf(actor.getSnapshot())).toBe('updating.messaging.waiting');
  });

  it('with a lost response is resent once under its own id', async () => {
    const lost = messageOf({ kind: 'updates', forwarded: false });
    const { answer, actor, send, pending, calls, refuse } = live(authorisationMachine, input);
    const again = { type: 'message.sendAgain', id: lost.messageId } as const;
    await answer('loadRows', [rowOf({ pending: lost })]);
    await send({ ...again, id: 'another' });
    await send(again);
    await send(again);
    expect(calls.filter(({ port }) => port === 'sendAgain')).toHaveLength(1);
    expect(pending('sendAgain').input).toEqual({ messageId: lost.messageId });
    await refuse('sendAgain', failure);
    expect(actor.getSnapshot()).toMatchObject({
      value: { updating: 'messaging' },
      context: { invoked: { value: 'unanswered' }, failure },
    });
    await send({ type: 'retry' });
    await send(again);
    await answer('sendAgain', { ...lost, forwarded: true });
    expect(actor.getSnapshot().context.rows[0]?.pending).toMatchObject({ forwarded: true });
    expect(actor.getSnapshot().can(again)).toBe(false);
  });

  it('that is pending can be followed again after the form was closed', async () => {
    const { answer, actor, send } = live(authorisationMachine, input);
    await answer('loadRows', [rowOf({ pending: messageOf({ kind: 'updates' }) })]);
    await send({ type: 'form.cancel' });
    expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
    await send({ type: 'subscription.follow', id: 'subscription-1' });
    expect(actor.getSnapshot()).toMatchObject({
      value: { updating: 'messaging' },
      context: { invoked: { value: 'waiting' }, messageId: 'message-1' },
    });
  });

  it('that the user cancels reports nothing', async () => {
    const { actor, send } = await openForm();
    await send({ type: 'form.cancel' });
    expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
    expect(newsOf(actor.getSnapshot().context)).toBe('');
  });

  it('is not possible without rules for its fields or with an unknown status', () => {
    expect(updateBlocked(rowOf())).toBe('');
    expect(updateBlocked(rowOf({ rules: [] }))).toContain('no fields to update');
    expect(updateBlocked(rowOf({ status: unknownStatus }))).toContain('does not know');
  });
});

describe('the report after an action on a subscription', () => {
  it.each([
    ['suspend', { suspended: true }, /^Suspended by you/],
    ['suspend', { suspended: false }, /^Approved\. You can pay now$/],
    ['select', {}, /now use Example Bacs$/],
    ['authorise', {}, /^Approved\. You can pay now$/],
  ] as const)('states the result of %s, %o', (act, more, news) => {
    expect(newsOf({ act, chosen: rowOf({ status: 'Authorised', ...more }) })).toMatch(news);
  });
});
