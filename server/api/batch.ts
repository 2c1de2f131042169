import { paymentFileName } from '#server/payments/paymentFileName.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { formatName } from '#server/companies/definitionNames.ts';
import { Failure } from '#server/failure.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { rawOf } from '#server/upstream/replies.ts';
import { batches } from '#server/companies/records.ts';
import { waitNotes } from '#server/payments/notes.ts';
import { readBatch } from '#server/payments/readBatch.ts';
import type { Handlers } from './handlers.ts';

/** Maximum number of characters of a batch's id that is looked for in a link. */
const longestId = 200;

/** Maximum number of batches that are read to find the one to which a link belongs. */
const mostRead = 20;

/** Returns a link without its query, which differs between readings; undefined if it is not a URL. */
const placeOf = (link: string): string | undefined => {
  const { origin, pathname } = URL.canParse(link) ? new URL(link) : {};
  return origin && pathname && origin + pathname;
};

/** Returns the parts of a link that may be ids. */
const partsOf = (link: string): string[] => link.split(/[/?&=#]/).flatMap((part) => [part, decoded(part)]);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/**
 * Reads the batch of the company to which a payment file's link belongs: the one whose id it contains, or the one of
 * the latest whose file is at the same place. Throws `forbidden` if there is none: the console follows only links that
 * the service returns to it.
 */
async function batchWith<Read extends { links?: { paymentFile?: string | undefined } | undefined }>(
  link: string,
  store: CompanyContext['store'],
  read: (batchId: string) => Promise<Read>,
): Promise<Read> {
  const records = store.records(batches);
  for (const part of new Set(partsOf(link)))
    if (part.length <= longestId && (await records.get(part)) !== undefined) return read(part);
  const place = placeOf(link);
  const filed = place === undefined ? [] : await records.latest(mostRead, { name: 'file' });
  for (const { batchId } of filed.reverse()) {
    const batch = await read(batchId);
    if (placeOf(batch.links?.paymentFile ?? '') === place) return batch;
  }
  throw new Failure(
    'forbidden',
    'The link belongs to none of the company’s latest batches. Read the batch, and name it in the query: ?batchId=…',
  );
}

/** Returns the references of a batch's payments in the order sent; undefined if the batch was not sent from here. */
async function referencesOf({ store }: CompanyContext, batchId: string): Promise<string[] | undefined> {
  const row = await store.writes.creatorOf('batch', batchId);
  if (row?.workspace !== store.workspace || row.companyKey !== store.companyKey) return undefined;
  const batch = (await store.writes.bodyOf(row)) as BatchRequest | undefined; // as it was sent
  return batch?.payments.map(({ remittanceInformation }) => remittanceInformation?.reference ?? '');
}

/** Handlers for posted batches and their payment files. */
export const batchHandlers = {
  async getBatch(context, { params, query }) {
    const { text, ...batch } = await readBatch(context, params.batchId);
    const references = batch.error ? await referencesOf(context, params.batchId) : undefined;
    const waits = await waitNotes(context, batch.data);
    const followed = isAllowedLink(context.config.upstream.providerOrigins, batch.links?.authorise);
    return {
      ...batch,
      followed,
      ...(references && { references }),
      ...(waits.length > 0 && { waits }),
      ...(query.raw !== undefined && { raw: rawOf(text) }),
    };
  },
  getPostedBatches: async ({ store }) => ({ data: JSON.stringify(await store.records(batches).list()) }),
  async downloadPaymentFile(context, { params: { link }, query }) {
    const { store, upstream } = context;
    const read = (batchId: string) => readBatch(context, batchId);
    const { data, links } = await (query.batchId === undefined ? batchWith(link, store, read) : read(query.batchId));
    if (!links?.paymentFile)
      throw new Failure('not-found', `Batch ${data.batchId} has no payment file: its status is ${data.status}.`);
    // Before the download, so that its exchange is the last one of the call.
    const format = await formatName(context, data);
    const file = await upstream.paymentFile(links.paymentFile, data.batchId);
    return { ...file, name: file.name || paymentFileName(format, data.batchId, file.type) };
  },
} satisfies Partial<Handlers>;
