import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import type { Created } from '#contract/serviceCalls.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { locationColumns, locations, ofWorkspace } from './schema.ts';
import type { Location, Tables, WriteRow } from './schema.ts';

/**
 * What is known of a write. `claimed`: its request may be on its way, or may have been sent by a process that has ended;
 * `unknown`: it was sent, and its outcome is not known; `refused`: nor is it, but what was sent last was answered as a repeat
 * would be again, by a refusal; `done`: it took effect. A write that never took effect has no row: its key is free again.
 */
type WriteState = 'claimed' | 'unknown' | 'refused' | 'done';

/** By what a write is known to be done, unless the response to its only request says so. */
type SettledBy = 'response' | 'read' | 'webhook';

/** What a write has come to, as it is stored. */
interface Done {
  /** The answer with which the console answers it, and all its repeats. */
  answer: unknown;
  /** The service's exchange that told so, if there was one, for the timeline. */
  exchange?: Exchange | undefined;
  /** The interaction in which the write was settled; absent unless `settledBy` is there. */
  settledIn?: string | undefined;
}

/** An exchange with the service; `at` is an ISO time, `ms` a duration. */
export interface Exchange {
  interactionId: string;
  at: string;
  ms: number;
  method: string;
  url: string;
  status: number;
}

/** One write of the console under its idempotency key. Times in ms. */
export interface Write extends Location {
  /** Its number, in the order in which writes were claimed first. */
  position: number;
  key: string;
  call: string;
  /** A tag of the company of the service for which it is made, however its ids are written; '' if that is not known. */
  owner: string;
  /** A tag of the call and the body. */
  fingerprint: string;
  state: WriteState;
  /** Counts the claims: a holder whose number is not this one any more has lost the write to another. */
  turn: number;
  claimedAt: number;
  /** The time of the service when the write was claimed first; undefined if it was not known. */
  serviceTime: number | undefined;
  /** The idempotency key that is sent to the service. */
  serviceKey: string;
  /** The id of what it has created at the service; '' if it has created nothing. */
  createdId: string;
  settledBy: SettledBy | undefined;
  settledAt: number;
}

/** By which the values of a write are read. */
type Named = Pick<Write, 'position' | 'workspace' | 'companyKey' | 'key'>;

/** A new write, as it is claimed. */
interface NewWrite extends Location, Pick<Write, 'key' | 'call' | 'fingerprint' | 'serviceKey' | 'serviceTime'> {
  body: unknown;
  /** Not known by default. */
  owner?: string;
  /** Now by default. */
  claimedAt?: number;
}

/** The end of a write that took effect. */
interface WriteEnd extends Done {
  created?: { kind: Created; id: string } | undefined;
  settledBy?: SettledBy | undefined;
}

/** Selects writes of a company. */
interface Selection {
  call: string;
  states: readonly WriteState[];
}

/**
 * The writes of all companies, each under its idempotency key. One that was sent stays for ever: without its row, a repeat
 * would be sent as a new request. Bodies and answers are encrypted.
 */
export interface Writes {
  /** Returns the write with this key; undefined if there is none. */
  find(at: Location, key: string): Promise<Write | undefined>;
  /** Returns the write with this key at the service. */
  byServiceKey(at: Location, serviceKey: string): Promise<Write | undefined>;
  /** Returns the write that has created this; undefined if none of the console has. */
  creatorOf(kind: Created, id: string): Promise<Write | undefined>;
  /** Returns the writes of a call in these states, the earliest first. */
  list(at: Location, selection: Selection): Promise<Write[]>;
  /** Returns the writes of a call whose outcome is not known and that were claimed after the last one that is, the earliest first. */
  undecidedSinceLast(at: Location, call: string): Promise<Write[]>;
  /** Returns the latest writes that were settled by more than their first response, the latest first. */
  settled(at: Location, call: string, limit: number): Promise<Write[]>;
  /** Returns the body as it was sent first. Throws if it was changed or damaged. */
  bodyOf(write: Write): Promise<unknown>;
  /** Returns what a write has come to; undefined unless it is done. Throws if it was changed or damaged. */
  doneOf(write: Write): Promise<Done | undefined>;
  /** Why the outcome is not known, in a sentence; '' if it is, or nobody has said. */
  wordsOf(write: Named): Promise<string>;
  /** Returns the body of a write as it is stored. Of a large one that takes long: not within a transaction. */
  sealed(at: Location & Pick<Write, 'key'>, body: unknown): string;
  /** Inserts a write, with its body `sealed`; undefined if its key is claimed already. */
  claim(write: NewWrite, sealed?: string): Promise<Write | undefined>;
  /**
   * Takes over a write that is not done, with its `sealed` body if that was forgotten; undefined if somebody else has meanwhile ended
   * it or taken it over.
   */
  takeOver(write: Write, sealed: string): Promise<Write | undefined>;
  /**
   * Whether the write is still the caller's: `lost` if somebody else has ended it, or taken it over, since he claimed it;
   * `forgotten` if its user or company was removed since it came. Stores the time of the service if there is none yet.
   */
  hold(write: Write, serviceTime?: number): Promise<'mine' | 'lost' | 'forgotten'>;
  /**
   * Records that a write took effect. Returns false, and records nothing, if somebody else has taken it over, or its
   * response has said so before.
   */
  end(write: Write, end: WriteEnd): Promise<boolean>;
  /**
   * Records that the outcome is not known, since when by the service's time, and why: the first reason stays until a refusal
   * gives another. Returns false as `end` does.
   */
  loseTrack(write: Write, words: string, state?: 'unknown' | 'refused'): Promise<boolean>;
  /** Removes a write under which nothing was done, with what it was to pay. Returns false as `end` does. */
  remove(write: Write): Promise<boolean>;
  /** Records what a program has created through the console, so that no write believes that it has. */
  noteCreated(workspace: string, created: { kind: Created; id: string }, serviceKey: string): Promise<void>;
  /** Forgets what a company's writes have sent and received, but not that they were made. */
  forgetContents(at: Location): Promise<void>;
  /**
   * Removes all writes of a workspace, with what they pay, also those under way: for a sandbox that was replaced, and may
   * issue the ids of what they made again; never for a live service.
   */
  forgetAll(workspace: string): Promise<void>;
}

const writeOf = (row: Selectable<WriteRow>): Write => ({
  position: row.position,
  workspace: row.workspace,
  companyKey: row.company_key,
  key: row.key,
  call: row.call,
  owner: row.owner,
  fingerprint: row.fingerprint,
  state: row.state as WriteState,
  turn: row.turn,
  claimedAt: row.claimed_at,
  serviceTime: row.service_time ?? undefined,
  serviceKey: row.service_key,
  createdId: row.created_id ?? '',
  settledBy: (row.settled_by as SettledBy | null) ?? undefined,
  settledAt: row.settled_at ?? 0,
});

/** What was created, by its kind and id; ignores letter case and surrounding blanks, as UUIDs do. */
const createdKey = (kind: Created, id: string): string => escapeId(`${kind}/${id.trim().toLowerCase()}`);

export function createWrites({ read, write, clock }: Database<Tables>, encryption: Encryption): Writes {
  /** A write whose location and key are known has its own row. */
  const column = (of: Named, name: 'body' | 'answer' | 'words') =>
    read((db) => db.selectFrom('writes').select(name).where('position', '=', of.position).executeTakeFirst());

  const place = ({ workspace, companyKey, key }: Pick<Write, 'workspace' | 'companyKey' | 'key'>) => ({
    ...locationColumns({ workspace, companyKey }),
    key: escapeId(key),
  });

  async function one(
    where: Partial<Pick<Selectable<WriteRow>, 'workspace' | 'company_key' | 'key' | 'service_key' | 'created'>>,
  ): Promise<Write | undefined> {
    const row = await read((db) =>
      db
        .selectFrom('writes')
        .selectAll()
        .where((on) => on.and(where as Record<string, string>)) // absent members are not named
        .executeTakeFirst(),
    );
    return row && writeOf(row);
  }

  /** The row of a write that is still the caller's: not done, or only known to be by others than its response. */
  const mine = ({ position, turn }: Write) =>
    sql<boolean>`position = ${position} and turn = ${turn} and (state <> 'done' or settled_by in ('read', 'webhook'))`;

  /** What is stored of a write unless its contents were forgotten while it was under way. */
  const unlessForgotten = (value: string | RawBuilder<unknown>) =>
    sql<string | null>`case when body is null then null else ${value} end`;

  const sealed: Writes['sealed'] = (at, body) =>
    encryption.encrypt(stringify(body ?? null), locations.writeBody(place(at)));

  return {
    sealed,
    find: (at, key) => one(place({ ...at, key })),
    byServiceKey: (at, serviceKey) => one({ ...locationColumns(at), service_key: serviceKey }),
    creatorOf: (kind, id) => one({ created: createdKey(kind, id) }),
    async list(at, { call, states }) {
      const rows = await read((db) =>
        db
          .selectFrom('writes')
          .selectAll()
          .where((on) => on.and({ ...locationColumns(at), call }))
          .where('state', 'in', states)
          // Said literally, so that the index of these few is used.
          .$if(!states.includes('done'), (these) => these.where('state', '<>', sql.lit('done')))
          .orderBy('position')
          .execute(),
      );
      return rows.map(writeOf);
    },
    async undecidedSinceLast(at, call) {
      const undecided = await this.list(at, { call, states: ['claimed', 'unknown', 'refused'] });
      if (undecided.length === 0) return [];
      const done = await read((db) =>
        db
          .selectFrom('writes')
          .select('position')
          .where((on) => on.and({ ...locationColumns(at), call, state: 'done' }))
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst(),
      );
      return undecided.filter(({ position }) => position > (done?.position ?? 0));
    },
    async settled(at, call, limit) {
      const rows = await read((db) =>
        db
          .selectFrom('writes')
          .selectAll()
          .where((on) => on.and({ ...locationColumns(at), call, state: 'done' }))
          .where('settled_by', 'is not', null)
          .orderBy('settled_at', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(writeOf);
    },
    async bodyOf(of) {
      const row = await column(of, 'body');
      return row?.body ? parse(encryption.decrypt(row.body, locations.writeBody(place(of)))) : undefined;
    },
    async doneOf(of) {
      const row = await column(of, 'answer');
      if (!row?.answer) return undefined;
      return parse(encryption.decrypt(row.answer, locations.writeAnswer(place(of)))) as Done; // as `end` wrote it
    },
    async wordsOf(of) {
      const row = await column(of, 'words');
      return row?.words ? encryption.decrypt(row.words, locations.writeWords(place(of))) : '';
    },
    async claim(
      { body, call, owner = '', fingerprint, serviceKey, serviceTime, claimedAt = clock.now(), ...at },
      stored = sealed(at, body),
    ) {
      const values = {
        ...place(at),
        call,
        owner,
        fingerprint,
        state: 'claimed',
        turn: 1,
        claimed_at: claimedAt,
        service_key: serviceKey,
        service_time: serviceTime ?? null,
        body: stored,
      };
      const row = await write((db) =>
        db
          .insertInto('writes')
          .values(values)
          .onConflict((on) => on.columns(['workspace', 'company_key', 'key']).doNothing())
          .returningAll()
          .executeTakeFirst(),
      );
      return row && writeOf(row);
    },
    async takeOver({ position, turn }, stored) {
      const row = await write((db) =>
        db
          .updateTable('writes')
          .set({ turn: turn + 1, body: sql`coalesce(body, ${stored})` })
          .where((on) => on.and({ position, turn }))
          .where('state', '<>', 'done')
          .returningAll()
          .executeTakeFirst(),
      );
      return row && writeOf(row);
    },
    async hold(of, time) {
      if (of.serviceTime === undefined && time !== undefined)
        await write((db) => db.updateTable('writes').set({ service_time: time }).where(mine(of)).execute());
      // A company has settings as long as it is kept.
      const isForgotten = sql<boolean>`body is null or (owner <> '' and not exists (select 1 from settings
        where settings.workspace = writes.workspace and settings.company_key = writes.company_key))`.as('isForgotten');
      const row = await read((db) => db.selectFrom('writes').select(isForgotten).where(mine(of)).executeTakeFirst());
      if (!row) return 'lost';
      return row.isForgotten ? 'forgotten' : 'mine';
    },
    async end(of, { created, settledBy, ...done }) {
      const { numUpdatedRows } = await write((db) =>
        db
          .updateTable('writes')
          .set({
            state: 'done',
            answer: unlessForgotten(encryption.encrypt(stringify(done), locations.writeAnswer(place(of)))),
            created: created ? createdKey(created.kind, created.id) : null,
            created_id: created?.id ?? null,
            settled_by: settledBy ?? null,
            settled_at: settledBy ? clock.now() : null,
          })
          .where(mine(of))
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },
    async loseTrack(of, words, state = 'unknown') {
      const encrypted = encryption.encrypt(words, locations.writeWords(place(of)));
      const { numUpdatedRows } = await write((db) =>
        db
          .updateTable('writes')
          .set({
            state,
            words: unlessForgotten(state === 'refused' ? sql`${encrypted}` : sql`coalesce(words, ${encrypted})`),
            service_time: of.serviceTime ?? null,
          })
          .where((on) => on.and({ position: of.position, turn: of.turn }))
          .where('state', '<>', 'done')
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },
    async remove(of) {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('writes')
          .where((on) => on.and({ position: of.position, turn: of.turn }))
          .where('state', '<>', 'done')
          .executeTakeFirst(),
      );
      if (numDeletedRows === 0n) return false;
      await write((db) => db.deleteFrom('invoice_lines').where('write', '=', of.position).execute());
      return true;
    },
    async noteCreated(workspace, { kind, id }, serviceKey) {
      const row = {
        workspace,
        company_key: ofWorkspace,
        key: `program/${createdKey(kind, id)}`,
        call: '',
        owner: '',
        fingerprint: '',
        state: 'done',
        turn: 1,
        claimed_at: clock.now(),
        service_key: serviceKey,
        created: createdKey(kind, id),
        created_id: escapeId(id),
      };
      await write((db) =>
        db
          .insertInto('writes')
          .values(row)
          .onConflict((on) => on.doNothing())
          .execute(),
      );
    },
    async forgetContents(at) {
      await write((db) =>
        db
          .updateTable('writes')
          .set({ body: null, answer: null, words: null })
          .where((on) => on.and(locationColumns(at)))
          .execute(),
      );
    },
    async forgetAll(workspace) {
      const its = sql`select position from writes where workspace = ${workspace}`;
      await write((db) => sql`delete from invoice_lines where write in (${its})`.execute(db));
      await write((db) => db.deleteFrom('writes').where('workspace', '=', workspace).execute());
    },
  };
}
