import type { TimelineEntry } from '#contract/timeline.ts';
import type { apiAt } from './api.ts';

type Server = Pick<ReturnType<typeof apiAt>, 'done'>;

/** What the console knows, by the calls that read it. When a batch was read last changes by reading it. */
export const known = async (server: Server) => withoutTimes(await read(server));
const withoutTimes = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/,\\*"readAt\\*":\\*"[^"\\]+\\*"/g, '')) as T; // the same members otherwise
const read = async ({ done }: Server) => ({
  facts: await done('getFacts'),
  settings: await done('getSettings'),
  debtors: await done('getDebtors'),
  creditors: await done('getCreditors'),
  batches: await done('getPostedBatches'),
  messages: await done('listMessages'),
  webhooks: await done('listWebhooks'),
  setAside: await done('getSetAside'),
  invoices: await done('getInvoices', { query: { count: '20' } }),
  programs: await done('getPrograms'),
});

/** Every entry of the timeline, by its id. */
export async function timelineOf({ done }: Server, after?: string): Promise<Map<string, TimelineEntry>> {
  const { data, next } = await done('getTimeline', { query: { limit: '100', ...(after !== undefined && { after }) } });
  const others = next ? await timelineOf({ done }, next) : [];
  return new Map([...data.map((entry) => [entry.id, entry] as const), ...others]);
}
