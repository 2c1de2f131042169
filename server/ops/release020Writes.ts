import { sql } from 'kysely';
import { v5 as uuidFrom } from 'uuid';
import { isObject, parse, stringify } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';
import type { Payment } from '#contract/payment.ts';
import { shownSigningKeys } from '#server/companies/signingKey.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import { iso } from '#server/clock.ts';
import { columnTypes } from '#server/storage/migrate.ts';
import { writesTables } from '#server/storage/migrations.ts';
import type { Earlier } from '#server/storage/open.ts';
import { locations } from '#server/storage/schema.ts';
import type { LineFacts } from '#server/storage/schema.ts';
import { receivedWebhooks } from '#server/webhooks/receive.ts';
import { factsOf, type Batch } from '#server/writes/invoices.ts';
import { createdIn } from '#server/writes/created.ts';
import { lineOf, type KnownPayee } from '#server/writes/sameInvoice.ts';
import { serviceKeyNamespace } from '#server/writes/serviceKey.ts';
import { readKept, type ApplicationOf, type Attempt, type Sent } from './release020Kept.ts';

/** The kinds of records that the journal replaces. */
const replaced = ['made', 'paymentAttempts', 'sentPayments'];

/** A payment as its facts tell it. A fact that release 0.2.0 had not stored is missing, so that more payments are like it. */
const paymentOf = ({ reference, identification: facts }: Sent): Payment => ({
  instructedAmount: { amount: facts?.amount || '0', currency: facts?.currency ?? '' },
  creditor: { name: facts?.name ?? '', ...(facts?.creditorId && { creditorId: facts.creditorId }) },
  ...(facts?.account && {
    creditorAccount: { identification: facts.account },
  }),
  remittanceInformation: { reference, ...(facts?.text && { unstructured: facts.text }) },
});

/**
 * Makes a row of each idempotency key, payment, created id and exchange that release 0.2.0 had in tables and records of
 * their own. What was paid is known by the facts that were stored with it; of a payment without facts the reference is, so
 * that every payment with it asks for a confirmation. The payments of a company that was removed are not known any more.
 */
export async function journalWrites(earlier: Earlier, applicationOf: ApplicationOf): Promise<void> {
  const { db, isPostgres, encryption, tag } = earlier;
  for (const statement of writesTables(columnTypes(db as never))) await sql.raw(statement).execute(db); // any database
  const kept = await readKept(earlier, applicationOf);
  const { exchanges, received } = kept;

  async function insertRecord(workspace: string, kind: string, id: string, value: object): Promise<void> {
    const row = { workspace, company_key: '', kind, id, subject: null, state: null };
    const text = encryption.encrypt(stringify(value), locations.record(row));
    await db
      .insertInto('records')
      .values({ ...row, value: text, name: null, alias: null })
      .execute();
  }

  async function insertLines(
    write: number,
    payer: string,
    batch: Batch,
    { sent, known, failed }: { sent: Sent[]; known: KnownPayee[]; failed: 'all' | string[] },
  ): Promise<void> {
    for (const [line, payment] of batch.payments.entries()) {
      const isPartial = sent[line] !== undefined && sent[line].identification === undefined;
      const facts: LineFacts = factsOf(tag, payer, { ...lineOf(payment, known), ...(isPartial && { sum: '' }) });
      const isFreed = failed === 'all' || (sent[line]?.identities.some((each) => failed.includes(each)) ?? false);
      await db
        .insertInto('invoice_lines')
        .values({ write, line, is_freed: isFreed ? 1 : 0, ...facts })
        .execute();
    }
  }

  const owned = new Set<string>();
  for (const row of kept.keys) {
    const { workspace, company_key: companyKey, key: stored, former, claimed_at: claimedAt, printed, response } = row;
    const [print = '', ...description] = (printed ?? '').split(' ');
    if (stored.startsWith('webhook/')) {
      if (row.hasResponse)
        await insertRecord(workspace, receivedWebhooks.kind, stored.slice('webhook/'.length), {
          id: stored.slice('webhook/'.length),
          fingerprint: print,
          at: claimedAt,
        });
      continue;
    }
    if (stored.startsWith('signing-key/')) {
      await insertRecord(workspace, shownSigningKeys.kind, stored.slice('signing-key/'.length), { at: iso(claimedAt) });
      continue;
    }
    const key = stored.replace(/^write\//, '');
    const attempt = kept.record(row, 'paymentAttempts', key) as Attempt | undefined;
    const reservation = kept.reserved(row, key);
    // It was stored as `sent` before its request was sent: under this key nothing was done.
    if (attempt && ['open', 'refused'].includes(attempt.state) && !row.hasResponse && !reservation) continue;
    const described = description.length === 0 ? undefined : (JSON.parse(description.join(' ')) as { name: string }); // as it was written
    // Release 0.1.0 had stored fingerprints without the name of the call.
    const call = described?.name ?? (attempt || reservation ? 'createBatch' : '');
    const serviceKey = uuidFrom(
      former === null ? JSON.stringify([workspace, companyKey, key]) : `${workspace}/${former.replace(/^write\//, '')}`,
      serviceKeyNamespace,
    );
    const settled = attempt?.settled;
    const answer =
      response === undefined ? settled && { data: { batchId: settled.batchId, status: '' } } : parse(response);
    const created =
      // The answer of the service, or that within the console's.
      (call === '' ? undefined : (createdIn(call, answer) ?? createdIn(call, memberOf(answer, 'data')))) ??
      // The answer was removed with its user, or is not of this server.
      (reservation?.batch_id ? ({ kind: 'batch', id: reservation.batch_id } as const) : undefined);
    const named = created && `${created.kind}/${created.id.trim().toLowerCase()}`;
    // What another write has received first is that one's.
    const isOwn = named !== undefined && !owned.has(named) && [serviceKey, ''].includes(received.get(named) ?? '');
    if (isOwn) {
      owned.add(named);
      received.delete(named);
    }
    const sent = (created && (kept.record(row, 'sentPayments', created.id) as Sent[] | undefined)) ?? [];
    const body: Batch | undefined = attempt?.request ?? batchOf(sent);
    const fingerprint = print !== '' ? print : !row.isClaimed && body ? fingerprintOf(call, body) : '';
    const place = { workspace, company_key: companyKey, key };
    // What cannot be read may have been done: it is not sent again.
    const isDone = answer !== undefined || created !== undefined || row.hasResponse;
    const payer = kept.payer(row);
    const inserted = await db
      .insertInto('writes')
      .values({
        ...place,
        call,
        owner: payer ?? '',
        turn: 1,
        claimed_at: claimedAt,
        service_time: row.service_time,
        service_key: serviceKey,
        fingerprint: fingerprint === '' ? '' : tag('fingerprint', fingerprint),
        state: isDone ? 'done' : attempt?.lost ? 'unknown' : 'claimed',
        body: body ? encryption.encrypt(stringify(body), locations.writeBody(place)) : null,
        answer:
          answer === undefined
            ? null
            : encryption.encrypt(
                stringify({
                  answer,
                  exchange: exchanges.get(serviceKey),
                  ...(settled && { settledIn: settled.interactionId }),
                }),
                locations.writeAnswer(place),
              ),
        words: attempt?.lost ? encryption.encrypt(attempt.lost, locations.writeWords(place)) : null,
        created: isOwn ? named : null,
        created_id: created?.id ?? null,
        settled_by: settled?.by ?? null,
        settled_at: settled ? Date.parse(settled.at) : null,
      })
      .returning('position')
      .executeTakeFirstOrThrow();
    if (call !== 'createBatch' || !body || !payer) continue;
    const last = created && kept.record(row, 'batchAnswers', created.id);
    const failed = isObject(last) ? (last['failed'] as 'all' | string[]) : [];
    await insertLines(inserted.position, payer, body, {
      sent,
      failed,
      known: attempt?.known ?? [],
    });
  }

  for (const [created, by] of received)
    await db
      .insertInto('writes')
      .values({
        workspace: '',
        company_key: '',
        key: `program/${created}`,
        call: '',
        owner: '',
        fingerprint: '',
        state: 'done',
        turn: 1,
        claimed_at: 0,
        service_key: by,
        created,
        created_id: created.slice(created.indexOf('/') + 1),
      })
      .execute();

  await sql`delete from records where kind in (${sql.join(replaced)})`.execute(db);
  for (const table of ['idempotency_keys', 'invoice_payments', 'undecided_sums', 'earlier_companies', 'received_ids'])
    await sql.raw(`drop table ${table}${isPostgres ? ' cascade' : ''}`).execute(db);
}

/** Returns the batch of payments that were stored without it; undefined if there are none. */
function batchOf(sent: readonly Sent[]): Batch | undefined {
  if (sent.length === 0) return undefined;
  const { externalId = '', subscriptionId = '' } = sent[0]?.ofBatch ?? {};
  return {
    ...(externalId && { externalId }),
    ...(subscriptionId && { subscriptionId }),
    requestedExecutionDateTime: '',
    payments: sent.map(paymentOf),
  };
}
