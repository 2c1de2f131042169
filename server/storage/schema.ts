import type { Generated } from 'kysely';
import { locationKey } from './encryption.ts';

/**
 * Where records are stored: `companyKey` is the key of a company's context (its scope), which is no id of the service; ''
 * for what belongs to the whole workspace.
 */
export interface Location {
  workspace: string;
  companyKey: string;
}

/** A location as the tables have it. */
interface LocationColumns {
  workspace: string;
  company_key: string;
}

export const locationColumns = ({ workspace, companyKey }: Location): LocationColumns => ({
  workspace,
  company_key: companyKey,
});

/** Every table has its rows in order of insertion. Columns marked "encrypted" hold texts of Encryption. */
interface Row {
  position: Generated<number>;
}

export interface RecordRow extends Row, LocationColumns {
  kind: string;
  id: string;
  /** Encrypted. */
  value: string;
  /** Tags of what the record is about and of its state, by which records are found and counted; null if it has none. */
  subject: string | null;
  state: string | null;
  /** Tags of the names that its content gives it (recordRows.ts). */
  name: string | null;
  alias: string | null;
}

/** The columns that bind the value of a record to its row. */
type RecordPlace = Omit<RecordRow, 'position' | 'value' | 'name' | 'alias'>;

interface IdempotencyKeyRow extends Row, LocationColumns {
  key: string;
  /** The one text that a row of an earlier version had instead of a company and a key; null since. */
  former: string | null;
  /** Counts the claims of the key: a holder whose number is not this one any more has lost the key to another. */
  turn: number;
  /** Encrypted. */
  fingerprint: string;
  /** Encrypted; null until the request has been answered. */
  response: string | null;
  /** In ms. */
  claimed_at: number;
  /** The time (ms) of the service when the request was sent first; null if it is not known, or nothing was sent. */
  service_time: number | null;
}

/** The columns that bind the values of an idempotency key to their row. */
type KeyPlace = Pick<IdempotencyKeyRow, 'workspace' | 'company_key' | 'key' | 'former'>;

const keyPlace = ({ workspace, company_key: companyKey, key, former }: KeyPlace): string[] =>
  former === null ? [workspace, companyKey, key] : [workspace, former];

/** Its location is that of the payment. */
interface InvoicePaymentRow extends Row, LocationColumns {
  /** A tag of the invoice and of the company at the service. */
  identity: string;
  idempotency_key: string;
  /** '' until the payment is confirmed. */
  batch_id: string;
  /** In ms. */
  reserved_at: number;
  /** Encrypted: why the invoice is paid although another payment covers it; null if none does. */
  reason: string | null;
}

/** A payment whose outcome is not known, by the payee and the amount. */
interface UndecidedSumRow extends Row, LocationColumns {
  /** A tag. */
  sum: string;
  idempotency_key: string;
  /** In ms. */
  reserved_at: number;
}

/** A record of a company under which an earlier version stored paid invoices; their tags name it. */
interface EarlierCompanyRow extends Row, LocationColumns {
  /** A tag of the company's ids at the service; '' until it is known. */
  owner: string;
}

interface ReceivedIdRow extends Row {
  kind: string;
  id: string;
  /** Of the write as the service knows it; '' if it is older than this table. */
  idempotency_key: string;
}

interface TimelineRow extends Row {
  workspace: string;
  id: string;
  /** In ms. */
  at: number;
  /** The number of characters that count towards the limit of a timeline. */
  length: number;
  /** 1 if the entry only reads; such entries are deleted first. */
  is_read: number;
  /** Encrypted. */
  value: string;
}

export interface SessionRow extends Row {
  /** The hash of the session's id. */
  key: string;
  /** Encrypted. */
  value: string;
  /** Steady times (Clock) in ms. */
  started_at: number;
  used_at: number;
}

interface SettingRow extends Row, LocationColumns {
  /** Encrypted: all settings of a company, or of a workspace if the key is ''. */
  value: string;
}

/** A record, or an entry of the timeline, that could not be read, as it was. */
interface QuarantineRow extends Row, LocationColumns {
  kind: string;
  id: string;
  value: string;
  /** In ms. */
  quarantined_at: number;
}

/** What marks the store, in one row. */
interface IndexKeyRow extends Row {
  /** Encrypted: the key of all tags, from which the store's id is made. Without it, the tables were emptied. */
  value: string;
  /** The database to which a file was copied, so that it is out of date; null if to none. */
  copied_to: string | null;
}

export interface Tables {
  records: RecordRow;
  idempotency_keys: IdempotencyKeyRow;
  invoice_payments: InvoicePaymentRow;
  undecided_sums: UndecidedSumRow;
  earlier_companies: EarlierCompanyRow;
  received_ids: ReceivedIdRow;
  timeline: TimelineRow;
  sessions: SessionRow;
  settings: SettingRow;
  quarantine: QuarantineRow;
  index_key: IndexKeyRow;
}

/** The places of encrypted values. */
export const locations = {
  record: ({ kind, workspace, company_key: companyKey, id, subject, state }: RecordPlace) =>
    locationKey('records', kind, workspace, companyKey, id, subject, state),
  fingerprint: (row: KeyPlace) => locationKey('fingerprint', ...keyPlace(row)),
  response: (row: KeyPlace) => locationKey('response', ...keyPlace(row)),
  reason: ({
    workspace,
    company_key: companyKey,
    identity,
    idempotency_key: key,
  }: Pick<InvoicePaymentRow, 'workspace' | 'company_key' | 'identity' | 'idempotency_key'>) =>
    locationKey('reason', workspace, companyKey, identity, key),
  timeline: ({ workspace, id }: Pick<TimelineRow, 'workspace' | 'id'>) => locationKey('timeline', workspace, id),
  session: ({ key }: Pick<SessionRow, 'key'>) => locationKey('sessions', key),
  setting: ({ workspace, company_key: companyKey }: LocationColumns) => locationKey('settings', workspace, companyKey),
  indexKey: () => locationKey('index_key'),
} as const;

/** All encrypted columns but those of quarantined records. */
export const encryptedColumns = [
  { table: 'records', column: 'value', place: locations.record },
  { table: 'idempotency_keys', column: 'fingerprint', place: locations.fingerprint },
  { table: 'idempotency_keys', column: 'response', place: locations.response },
  { table: 'invoice_payments', column: 'reason', place: locations.reason },
  { table: 'timeline', column: 'value', place: locations.timeline },
  { table: 'sessions', column: 'value', place: locations.session },
  { table: 'settings', column: 'value', place: locations.setting },
] as const;

/** All tables, in the order in which they are copied. */
export const tableNames = [
  'index_key',
  'records',
  'idempotency_keys',
  'invoice_payments',
  'undecided_sums',
  'earlier_companies',
  'received_ids',
  'timeline',
  'sessions',
  'settings',
  'quarantine',
] as const satisfies readonly (keyof Tables)[];
