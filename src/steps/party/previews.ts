import { requests } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';
import { putOf } from '#rules/party.ts';
import { nested } from '#rules/payload.ts';
import { byPaths, contextIn, nothing, type PreviewOf } from '../preview.ts';

export const party =
  (kind: 'debtoraccountputs' | 'creditorputs', id: 'debtorId' | 'creditorId'): PreviewOf =>
  (snapshot, { settings }, key, own) => {
    const state = contextIn<FormState>(snapshot);
    const data = putOf(id, nested(state.form, state.values), own, settings.subscriptionId);
    const request = requests.message(kind, data, key);
    return { request, lineOf: byPaths(state, 'data.', request) };
  };

/** The query; or the deletion that is being confirmed or sent. */
export const query =
  (
    list: 'debtoraccountlistqueries' | 'creditorlistqueries',
    remove: 'debtoraccountdeletes' | 'creditordeletes',
    id: 'debtorId' | 'creditorId',
  ): PreviewOf =>
  (snapshot, { settings: { subscriptionId } }, key) => {
    const { resourceId } = contextIn<{ resourceId: string }>(snapshot);
    const request = ['confirming', 'deleting'].some((state) => snapshot.matches(state))
      ? requests.message(remove, { subscriptionId, [id]: resourceId }, key)
      : requests.message(list, { subscriptionId }, key);
    return { request, lineOf: nothing };
  };
