import type { Storage } from '#server/storage/open.ts';
import { recordEventsTopic } from '#server/storage/records.ts';
import type { RecordKind, Records } from '#server/storage/records.ts';
import type { Quarantined } from '#server/storage/quarantine.ts';
import { companiesIn } from './companyList.ts';
import type { Companies } from './companyList.ts';
import { storedSettingsIn } from './storedSettings.ts';
import type { StoredSettings } from './storedSettings.ts';

/** What is stored of one company, and of its workspace. */
export interface Store extends Pick<Storage, 'isShared' | 'writes' | 'invoiceLines' | 'tag'> {
  workspace: string;
  companyKey: string;
  companies: Companies;
  settings: StoredSettings;
  records<Value>(kind: RecordKind<Value>): Records<Value>;
  /** Who else has stored a record under this id: another company of this workspace, another user, or nobody. */
  holderOf(kind: RecordKind<never>, id: string): Promise<'company' | 'user' | 'none'>;
  /** The store of another company, of the same workspace unless another one is named. */
  at(companyKey: string, ofWorkspace?: string): Store;
  /** The quarantined records of the workspace, oldest first. */
  quarantined(): Promise<Quarantined[]>;
  /** Tells the pages that wait for what this id stands for that it has changed. */
  announce(id: string): Promise<void>;
  /** See Transactions and Locks of storage; the lock's name belongs to the workspace. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
  withLock<T>(name: string, run: (lost: AbortSignal) => Promise<T>): Promise<T>;
}

export function storeAt(storage: Storage, workspace: string, companyKey: string): Store {
  const at = { workspace, companyKey };
  return {
    isShared: storage.isShared,
    workspace,
    companyKey,
    companies: companiesIn(storage, workspace),
    settings: storedSettingsIn(storage, at),
    records: (kind) => storage.records(kind, at),
    async holderOf(kind, id) {
      const found = await storage.collection(kind).locationsOf(id);
      if (found.some((each) => each.workspace !== workspace)) return 'user';
      return found.some((each) => each.companyKey !== companyKey) ? 'company' : 'none';
    },
    at: (other, ofWorkspace = workspace) => storeAt(storage, ofWorkspace, other),
    quarantined: () => storage.quarantine.list(workspace),
    announce: (id) => storage.publish(recordEventsTopic(workspace), id),
    transaction: (run) => storage.transaction(workspace, run),
    withLock: (name, run) => storage.withLock(JSON.stringify([workspace, name]), run),
    writes: storage.writes,
    invoiceLines: storage.invoiceLines,
    tag: storage.tag,
  };
}
