import { Problem } from '../http/problem.ts';
import type { Handlers } from '../http/serviceRoutes.ts';
import type { Collections } from '../store/tenantStore.ts';
import { accountRecords } from './records.ts';

/** Accounts and data sets of a user; an account must exist before its data sets (wire, section 2.5). */
export function networkHandlers({ store, newId }: { store: Collections; newId: () => string }) {
  const accounts = accountRecords(store);

  return {
    async createAccount({ body: { data }, caller: { sub } }) {
      const path = 'data.owner.user.identityId';
      if (data.owner.user.identityId !== sub)
        throw new Problem(422, `${path}: not the identity of the user token`, [
          { path, message: 'must be the sub of the user whose token is sent' },
        ]);
      const id = newId();
      await accounts.add(`${sub}/${id}`, { sub });
      return { data: { id, ...data } };
    },

    async createDataset({ body: { data }, caller: { sub } }) {
      if ((await accounts.list(`${sub}/`)).length === 0)
        throw new Problem(422, 'The user has no account yet; a data set needs one');
      return { data: { id: newId(), ...data } };
    },
  } satisfies Partial<Handlers>;
}
