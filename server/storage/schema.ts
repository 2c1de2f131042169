import type { Generated } from 'kysely';
import { locationKey } from './encryption.ts';

/**
 * Where records are stored: `companyKey` is the key of a company, which is no id of the service; `ofWorkspace`
 * for what belongs to the whole workspace.
 */
export interface Location {
  workspace: string;
  companyKey: string;
}

/** The company key of what belongs to the workspace itself. */
export const ofWorkspace = '';

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

/** See writes.ts. Times in ms. */
export interface WriteRow extends Row, LocationColumns {
  key: string;
  call: string;
  /** A tag of the company of the service for which it is made; '' if that is not known. */
  owner: string;
  /** A tag. */
  fingerprint: string;
  /** Encrypted. */
  body: string | null;
  state: string;
  turn: number;
  claimed_at: number;
  service_time: number | null;
  service_key: string;
  /** Encrypted: what it came to, and why that is not known; null while nothing was stored. */
  answer: string | null;
  words: string | null;
  /** What it has created: kind and comparable id, which no other write has; and the id as the service wrote it. */
  created: string | null;
  created_id: string | null;
  settled_by: string | null;
  settled_at: number | null;
}

/** The facts of one payment, as tags; several values of one fact are separated by blanks. */
export interface LineFacts {
  reference: string;
  note: string;
  sum: string;
  payee_ids: string;
  ibans: string;
  numbers: string;
  name: string;
}

/** See invoiceLines.ts. The facts are tags, '' where the payment states none. */
interface InvoiceLineRow extends Row, LineFacts {
  write: number;
  line: number;
  is_freed: number;
}

/** The columns that bind the values of a write to its row. */
type WritePlace = Pick<WriteRow, 'workspace' | 'company_key' | 'key'>;

const writePlace = ({ workspace, company_key: companyKey, key }: WritePlace) => [workspace, companyKey, key];

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
  writes: WriteRow;
  invoice_lines: InvoiceLineRow;
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
  writeBody: (row: WritePlace) => locationKey('write body', ...writePlace(row)),
  writeAnswer: (row: WritePlace) => locationKey('write answer', ...writePlace(row)),
  writeWords: (row: WritePlace) => locationKey('write words', ...writePlace(row)),
  timeline: ({ workspace, id }: Pick<TimelineRow, 'workspace' | 'id'>) => locationKey('timeline', workspace, id),
  session: ({ key }: Pick<SessionRow, 'key'>) => locationKey('sessions', key),
  setting: ({ workspace, company_key: companyKey }: LocationColumns) => locationKey('settings', workspace, companyKey),
  indexKey: () => locationKey('index_key'),
} as const;

/** All encrypted columns but those of quarantined records. */
export const encryptedColumns = [
  { table: 'records', column: 'value', place: locations.record },
  { table: 'writes', column: 'body', place: locations.writeBody },
  { table: 'writes', column: 'answer', place: locations.writeAnswer },
  { table: 'writes', column: 'words', place: locations.writeWords },
  { table: 'timeline', column: 'value', place: locations.timeline },
  { table: 'sessions', column: 'value', place: locations.session },
  { table: 'settings', column: 'value', place: locations.setting },
] as const;

/** All tables, in the order in which they are copied. */
export const tableNames = [
  'index_key',
  'records',
  'writes',
  'invoice_lines',
  'timeline',
  'sessions',
  'settings',
  'quarantine',
] as const satisfies readonly (keyof Tables)[];
