import type { PendingState } from '#machines/lib/resend.ts';
import type { AnswerState } from '#machines/lib/messageOutcome.ts';
import type { Act, Does, Faults, Now, User, Way } from './user.ts';
import type { World } from './world.ts';

export const does =
  (type: string, more: object = {}): Does =>
  () => ({ type, ...more });
export const retries = does('retry');
export const leaves: Does = () => 'leaves';

/** Does something the first time since the page was loaded, afterwards something else. */
export const first =
  (name: string, act: Does, otherwise: Does): Does =>
  (now) => {
    if (now.notes.here.has(name)) return otherwise(now);
    now.notes.here.add(name);
    return act(now);
  };

/** What only a user with that habit does, once. */
export const habit =
  (name: string, act: Does, otherwise: Does): Does =>
  (now) => {
    if (!now.notes.habits.includes(name) || now.notes.done.has(name)) return otherwise(now);
    now.notes.done.add(name);
    return act(now);
  };

/** Does what has an effect; if it was done before, only after having looked whether it has come about. */
export const writes =
  (act: Does): Does =>
  (now) => {
    const { notes } = now;
    if (notes.done.has('write') && !notes.here.has('look')) {
      notes.here.add('look');
      return 'again';
    }
    notes.here.add('look');
    notes.done.add('write');
    return act(now);
  };

/** The states of a form that is filled with its examples and sent. */
export const fills = (isThere: User['isThere'], fill: Does = does('form.fill')) => {
  const send = first('fill', fill, writes(does('form.submit')));
  const unlessThere =
    (act: Does): Does =>
    (now) =>
      isThere(now.facts, now.notes.before) ? 'leaves' : act(now);
  return {
    'form.editing': unlessThere(habit('hastes', does('form.submit'), send)),
    'form.invalid': unlessThere(send),
    'form.refused': retries,
    unavailable: retries,
  };
};

/** The states of a form and of what it is sent by, on the ways to them. */
export const formWays = (loads: readonly string[] = []): Way[] => [
  { states: [...loads, 'form.editing', 'form.submitting'] },
  { habits: ['hastes'], states: ['form.invalid'] },
  { faults: { 'form.submitting': 'cut' }, states: ['form.refused'] },
  ...(loads.includes('loading') ? [{ faults: { loading: 'cut' } as Faults, states: ['unavailable'] }] : []),
];

export const none = (): string[] => [];
export const idsOf =
  (kind: Parameters<World['kept']>[0]) =>
  (world: World): string[] => [...world.kept(kind).keys()];

/** The listed messages of which nobody knows whether the service has them. */
export const unsure = (messages: PendingState['pending']) => messages.find(({ forwarded }) => forwarded === false);

/** The webhooks that were lost come after all. */
export const arrives = async ({ world }: Now): Promise<undefined> => {
  await world.lab.ask('POST', '/webhooks/again', { since: '2000-01-01T00:00:00Z' });
};

/** The answer to a message comes after all, to who is patient. */
function comes(now: Now, messageId: string): Act | Promise<Act> {
  const { habits, done } = now.notes;
  if (!habits.includes('late') || done.has(messageId)) return undefined;
  done.add(messageId);
  return arrives(now);
}

/** Waits for the provider's answer; sends again what the service may not have. */
export const waits: Does = (now) => {
  const { outcome, messageId } = now.snapshot.context as AnswerState;
  return outcome?.forwarded === false && outcome.state === 'waiting'
    ? { type: 'message.sendAgain', id: messageId }
    : comes(now, messageId);
};

/** The first webhook of this type stays away until it is asked for. */
export const late = (of: string) => (world: World) => world.lab.set({ on: 'webhook', of, fault: { kind: 'lose' } });

/** Does something once, and leaves. */
export const once = (name: string, act: Does): Does => first(name, act, leaves);

/** The current subscription is suspended. */
export async function suspends({ api }: World): Promise<void> {
  const { subscriptionId } = await api.done('getSettings');
  await api.done('patchSubscription', { params: { subscriptionId }, body: { data: { suspendedByConsumer: true } } });
}
