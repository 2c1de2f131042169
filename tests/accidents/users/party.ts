import type { PendingState } from '#machines/lib/resend.ts';
import {
  arrives,
  does,
  fills,
  formWays,
  habit,
  idsOf,
  late,
  retries,
  unsure,
  waits,
  writes,
  suspends,
  none,
} from '../acts.ts';
import type { Does, User, Way } from '../user.ts';

const puts = (journey: 'debtor' | 'creditor'): User => {
  const many = `${journey}s` as const;
  const isThere: User['isThere'] = (facts, before) => facts[many] > before[many];
  const name = journey === 'debtor' ? 'debtorAccount.name' : 'creditor.name';
  /** The examples are those of a record that exists; only a user with this habit wants a second one of it. */
  const renames: Does = ({ notes }) =>
    notes.habits.includes('doubles')
      ? { type: 'form.fill' }
      : { type: 'form.change', field: name, value: 'Fernhollow Joinery Ltd' };
  const form = fills(isThere, [does('form.fill'), renames]);
  const webhook = journey === 'debtor' ? 'debtoraccountputs' : 'creditorputs';
  const before = late(webhook);
  const editing: Does = (now) => {
    const found = unsure((now.snapshot.context as PendingState).pending);
    if (found) return habit('lists', does('message.sendAgain', { id: found.messageId }), form['form.editing'])(now);
    const { done, here } = now.notes;
    if (!done.has('lists') || here.has('look')) return form['form.editing'](now);
    return arrives(now).then(() => 'again' as const); // what was sent again is awaited, and nothing else is sent
  };
  const another: Does = ({ notes }) => {
    notes.here.clear(); // a form is opened anew
    notes.done.delete('write');
    return { type: 'party.another' };
  };
  /** What exists may be what was wanted, made by a request whose answer was lost or in another tab: the user looks first. */
  const second: Does = ({ facts, notes }) => {
    if (isThere(facts, notes.before)) return 'leaves';
    if (notes.done.has('compares')) return { type: 'party.again' };
    notes.done.add('compares');
    return 'again';
  };
  const reopened = { before, faults: { 'messaging.sending': 'lost' } } as const;
  return {
    journey,
    at: 'creditor',
    isThere,
    made: idsOf(journey),
    does: {
      ...form,
      'form.editing': editing,
      'form.refused': habit('reopens', () => 'reloads', retries),
      pending: does('answer.await'),
      existing: second,
      'messaging.waiting': habit('another', another, waits),
      'messaging.unanswered': retries,
      unresent: retries,
    },
    ways: [
      ...formWays(['loading'], 'messaging.sending'),
      { at: 'subscription', states: ['blocked'] },
      { states: ['messaging.waiting'] },
      { habits: ['doubles'], states: ['existing'] },
      { faults: { 'messaging.waiting': 'cut' }, states: ['messaging.unanswered'] },
      { habits: ['late', 'another'], before, states: ['pending'] },
      { ...reopened, habits: ['late', 'reopens'], states: ['messaging.resending'] },
      { ...reopened, habits: ['late', 'reopens', 'another', 'lists'], states: ['resending.resending'] },
      {
        ...reopened,
        habits: ['late', 'reopens', 'another', 'lists'],
        faults: { 'messaging.sending': 'lost', 'resending.resending': 'cut' },
        states: ['unresent'],
      },
    ],
  };
};

/** Queries the provider's list and deletes its first entry. */
const removes = (journey: 'debtorQuery' | 'creditorQuery'): User => {
  const many = journey === 'debtorQuery' ? 'debtors' : 'creditors';
  const [deletes, idName] =
    journey === 'debtorQuery'
      ? (['debtoraccountdeletes', 'debtorId'] as const)
      : (['creditordeletes', 'creditorId'] as const);
  const isThere: User['isThere'] = (facts, before) => facts[many] < before[many];
  const ask: Does = ({ facts, notes }) => (isThere(facts, notes.before) ? 'leaves' : { type: 'query.send' });
  const remove: Does = ({ snapshot, facts, notes }) => {
    const { parties } = snapshot.context as { parties: Record<string, string>[] };
    const [party] = parties;
    if (!party || isThere(facts, notes.before)) return 'leaves';
    return { type: 'party.delete', id: party[idName] };
  };
  const again =
    (act: Does): Does =>
    (now) => {
      const found = unsure((now.snapshot.context as PendingState).pending);
      return found ? { type: 'message.sendAgain', id: found.messageId } : act(now);
    };
  const reopens: Does = habit('reopens', () => 'reloads', retries);
  const leavesIt: Does = (now) => habit('leaves', does('answer.leave'), waits)(now);
  const asked = `${journey === 'debtorQuery' ? 'debtoraccount' : 'creditor'}listqueryresponses`;
  const deletion = { habits: ['late', 'reopens', 'leaves'], before: late(deletes) } as const;
  return {
    journey,
    at: 'creditor',
    isThere,
    made: none, // deleted by its id, it is gone once
    does: {
      'list.ready': again(ask),
      'list.listing': again(remove),
      'querying.waiting': waits,
      'deleting.waiting': leavesIt,
      confirming: habit('hesitates', does('delete.dismiss'), writes(does('delete.confirm'))),
      ...Object.fromEntries(
        ['unavailable', 'querying.unanswered', 'list.uncleared', 'deleting.unanswered', 'list.unresent'].map(
          (state) => [state, retries],
        ),
      ),
      'list.unlisted': reopens,
      'list.refused': reopens,
    },
    ways: [
      {
        states: [
          'loading',
          'list.ready',
          'querying.sending',
          'querying.waiting',
          'clearing',
          'list.listing',
          'confirming',
          'deleting.sending',
          'deleting.waiting',
        ],
      },
      { before: suspends, states: ['blocked'] },
      ...Object.entries({
        loading: 'unavailable',
        'querying.sending': 'list.unlisted',
        'querying.waiting': 'querying.unanswered',
        clearing: 'list.uncleared',
        'deleting.sending': 'list.refused',
        'deleting.waiting': 'deleting.unanswered',
      }).map(([state, failed]): Way => ({ faults: { [state]: 'cut' }, states: [failed] })),
      {
        habits: ['late', 'reopens'],
        before: late(asked),
        faults: { 'querying.sending': 'lost' },
        states: ['querying.resending'],
      },
      {
        habits: ['late', 'reopens'],
        before: late(deletes),
        faults: { 'deleting.sending': 'lost' },
        states: ['deleting.resending'],
      },
      { ...deletion, faults: { 'deleting.sending': 'lost' }, states: ['resending.resending'] },
      { ...deletion, faults: { 'deleting.sending': 'lost', 'resending.resending': 'cut' }, states: ['list.unresent'] },
    ],
  };
};

export const party = {
  'create a debtor': puts('debtor'),
  'create a creditor': puts('creditor'),
  'delete a debtor': removes('debtorQuery'),
  'delete a creditor': removes('creditorQuery'),
} as const satisfies Record<string, User>;
