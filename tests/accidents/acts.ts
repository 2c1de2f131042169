import type { PendingState } from '#machines/lib/resend.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import type { Invoking } from '#machines/lib/state.ts';
import type { Act, Does, Faults, Now, User, Way } from './user.ts';
import type { World } from './world.ts';

export const does =
  (type: string, more: object = {}): Does =>
  () => ({ type, ...more });
export const retries = does('retry');
export const leaves: Does = () => 'leaves';

/** Does `act` once after each load of the page, and `otherwise` from then on. */
export const first =
  (name: string, act: Does, otherwise: Does): Does =>
  (now) => {
    if (now.notes.here.has(name)) return otherwise(now);
    now.notes.here.add(name);
    return act(now);
  };

/** An action of users with this habit only, once. */
export const habit =
  (name: string, act: Does, otherwise: Does): Does =>
  (now) => {
    if (!now.notes.habits.includes(name) || now.notes.done.has(name)) return otherwise(now);
    now.notes.done.add(name);
    return act(now);
  };

/** Performs a write; a repetition only after checking whether the first one took effect. */
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

/** The actions in each state of a form that is filled, by default with its examples, and sent. */
export const fills = (isThere: User['isThere'], fill: readonly Does[] = [does('form.fill')]) => {
  const send = fill.reduceRight((then, act, index) => first(`fill ${index}`, act, then), writes(does('form.submit')));
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

/** The ways that reach each state of a form and of sending it. */
export const formWays = (loads: readonly string[] = [], sending = 'form.submitting'): Way[] => [
  { states: [...loads, 'form.editing', sending] },
  { habits: ['hastes'], states: ['form.invalid'] },
  { faults: { [sending]: 'cut' }, states: ['form.refused'] },
  ...(loads.includes('loading') ? [{ faults: { loading: 'cut' } as Faults, states: ['unavailable'] }] : []),
];

export const none = (): string[] => [];
export const idsOf =
  (kind: Parameters<World['kept']>[0]) =>
  (world: World): string[] => [...world.kept(kind).keys()];

/** The listed messages whose delivery is unknown. */
export const unsure = (messages: PendingState['pending']) => messages.find(({ forwarded }) => forwarded === false);

/** Resends the lost webhooks. */
export const arrives = async ({ world }: Now): Promise<undefined> => {
  await world.lab.ask('POST', '/webhooks/again', { since: '2000-01-01T00:00:00Z' });
};

/** Sends the missing answer to a message if the user keeps waiting. */
function comes(now: Now, messageId: string): Act | Promise<Act> {
  const { habits, done } = now.notes;
  if (!habits.includes('late') || done.has(messageId)) return undefined;
  done.add(messageId);
  return arrives(now);
}

/** Waits for the provider's answer; resends a message whose delivery is unknown. */
export const waits: Does = (now) => {
  const { outcome, messageId } = messageIn(now.snapshot.context as Invoking); // of every journey that sends messages
  return outcome?.forwarded === false && outcome.state === 'waiting'
    ? { type: 'message.sendAgain', id: messageId }
    : comes(now, messageId);
};

/** Holds the first webhook of this type until it is resent. */
export const late = (of: string) => (world: World) => world.lab.set({ on: 'webhook', of, fault: { kind: 'lose' } });

/** Does something once, and leaves. */
export const once = (name: string, act: Does): Does => first(name, act, leaves);

/** The current subscription is suspended. */
export async function suspends({ api }: World): Promise<void> {
  const { subscriptionId } = await api.done('getSettings');
  await api.done('patchSubscription', { params: { subscriptionId }, body: { data: { suspendedByConsumer: true } } });
}
