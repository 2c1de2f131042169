import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { companyHeader } from '#contract/constants.ts';
import { none } from './acts.ts';
import type { User } from './user.ts';
import type { Walked } from './scene.ts';
import type { World } from './world.ts';

/** The differences between the console's facts of a company and the service's records. */
async function untruths(world: World, facts: Facts): Promise<string[]> {
  const { settings, subscription, lost } = facts;
  if (lost !== '') return [];
  const headers = { [companyHeader]: facts.companyKey };
  const named = (
    [
      ['organisation', settings.organisationId],
      ['company', settings.companyId],
      ['account', settings.accountId],
      ['subscription', settings.subscriptionId],
    ] as const
  ).flatMap(([kind, id]) => (id === '' || world.kept(kind).has(id) ? [] : `${kind} ${id} is shown, and is nowhere`));
  const there = world.kept('subscription').get(settings.subscriptionId);
  const status = subscription?.status;
  const parties = (kind: 'debtor' | 'creditor', shown: readonly string[]): string[] => {
    const kept = world.partiesOf(kind, settings.subscriptionId);
    return shown.toSorted().join() === kept.toSorted().join()
      ? []
      : [`the console lists ${kind}s ${shown.join()}, and the service has ${kept.join()}`];
  };
  const batches = JSON.parse((await world.api.done('getPostedBatches', { headers })).data) as BatchRecord[]; // by the contract's shape
  const posted = [...world.kept('batch')].flatMap(([id, { companyId }]) =>
    companyId === settings.companyId ? id : [],
  );
  const listed = batches.map(({ batchId }) => batchId);
  return [
    ...named,
    ...(there && there.status !== status ? [`the subscription is shown as ${status}, and is ${there.status}`] : []),
    ...(there && there.suspendedByConsumer !== subscription?.suspendedByConsumer ? ['its suspension is another'] : []),
    ...parties(
      'debtor',
      (await world.api.done('getDebtors', { headers })).data.map(({ debtorId }) => debtorId),
    ),
    ...parties(
      'creditor',
      (await world.api.done('getCreditors', { headers })).data.map(({ creditorId }) => creditorId),
    ),
    ...(listed.toSorted().join() === posted.toSorted().join()
      ? []
      : [`the console lists batches ${listed.join()}, and the service has ${posted.join()}`]),
  ];
}

/** The violations at the end of a walk. */
function broken({ isThere, made: madeBy }: User, walked: Walked): string[] {
  const { facts, before, made, ended, stopped, happened } = walked;
  const forgotten = happened.some(({ forgets }) => forgets);
  const there = isThere(facts, before);
  const isTold = stopped.includes(': '); // by the failure of a state
  const acknowledged = ended.some(({ type }) => type === 'succeeded');
  return [
    ...(made.length > 1 ? [`${made.length} were made: ${made.join()}`] : []),
    ...(stopped !== '' && !forgotten ? [`the way has ended in ${stopped}`] : []),
    ...(forgotten && !there && facts.lost === '' && !isTold ? ['nobody says that the service has forgotten'] : []),
    ...(!forgotten && !there ? ['what was wanted is not there, or nobody says so'] : []),
    ...(!forgotten && madeBy !== none && made.length === 0 ? ['nothing was made'] : []),
    ...(acknowledged && !there && !forgotten ? ['what was acknowledged is not there'] : []),
  ];
}

/** All violations after a walk, with its log; '' if there are none. */
export async function wrongAfter(world: World, user: User, walked: Walked): Promise<string> {
  const { happened, facts, log } = walked;
  const told = happened.some(({ forgets }) => forgets) ? [] : await untruths(world, facts);
  const wrong = [...broken(user, walked), ...told];
  return wrong.length > 0 ? `${wrong.join('; ')}\n${log.join('\n')}` : '';
}
