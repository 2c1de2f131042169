import type { TimelineEntry } from '#contract/timeline.ts';
import { hasFailed } from './timeline.ts';

/** What a plot needs of an entry. */
export type Moment = Pick<TimelineEntry, 'id' | 'kind' | 'at' | 'ms' | 'status' | 'signature'>;

const isCall = ({ kind }: Moment): boolean => kind === 'service' || kind === 'program';

/** A span of time from `from` on (ms). */
interface Bin<Value> {
  from: number;
  value: Value;
}

/**
 * Spans of equal length (ms), the last of which contains `now`, with the moments in each. They begin at multiples of the
 * length, so that the time moves them by whole spans.
 */
function binned(moments: readonly Moment[], now: number, length: number, count: number): Bin<Moment[]>[] {
  const first = (Math.floor(now / length) - count + 1) * length;
  const bins = Array.from({ length: count }, (_, index): Bin<Moment[]> => ({
    from: first + index * length,
    value: [],
  }));
  for (const moment of moments) bins[Math.floor((Date.parse(moment.at) - first) / length)]?.value.push(moment);
  return bins;
}

/** The value below which a share of the sorted values lies (nearest rank). */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Median and 95th percentile (ms); undefined for fewer than `least` values. */
function spread(ms: readonly number[], least: number): { median: number; p95: number } | undefined {
  if (ms.length < least) return undefined;
  const sorted = ms.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

const minute = 60_000;
/** Fewer values have no median that says something. */
const fewest = 5;

const answered = (moments: readonly Moment[]): number[] =>
  moments.filter((each) => isCall(each) && each.status > 0).map(({ ms }) => ms);

/**
 * The last hour: calls by minute with those that failed, latencies (ms) by three minutes, and webhooks by two. `since` is the
 * time (ms) of the earliest moment, if not all of the hour is stored.
 */
export function lastHour(stored: readonly Moment[], now: number, isWhole: boolean) {
  const calls = binned(stored.filter(isCall), now, minute, 60);
  const [begin = now] = calls.map(({ from }) => from);
  const moments = stored.filter(({ at }) => Date.parse(at) >= begin);
  const inCalls = moments.filter(isCall);
  const webhooks = moments.filter(({ kind }) => kind === 'webhook');
  const earliest = Math.min(...stored.map(({ at }) => Date.parse(at)));
  return {
    begin,
    since: !isWhole && stored.length > 0 && earliest > begin ? earliest : undefined,
    calls: {
      total: inCalls.length,
      failed: inCalls.filter(hasFailed).length,
      bins: calls.map(({ from, value }) => ({ from, total: value.length, failed: value.filter(hasFailed).length })),
    },
    latency: {
      all: spread(answered(inCalls), fewest),
      highest: inCalls.reduce<Moment | undefined>((most, each) => (each.status > 0 && each.ms > (most?.ms ?? -1) ? each : most), undefined), // prettier-ignore
      bins: binned(inCalls, now, 3 * minute, 20).map(({ from, value }) => ({
        from,
        value: spread(answered(value), 1),
      })),
    },
    webhooks: {
      total: webhooks.length,
      failed: webhooks.filter(hasFailed).length,
      bins: binned(webhooks, now, 2 * minute, 30).map(({ from, value }) => ({ from, failed: value.map(hasFailed) })),
    },
  };
}

/** Number of spans of a strip, and its length (ms) unless the session is shorter. */
const [stripBins, stripLength] = [151, 10 * minute];

/**
 * What a strip shows: ten minutes, or the whole session if that is shorter, up to now; if nothing happened in these ten minutes, up
 * to the latest moment. Undefined without moments.
 */
export function stripOf(moments: readonly Moment[], now: number) {
  if (moments.length === 0) return undefined;
  const times = moments.map(({ at }) => Date.parse(at));
  const [earliest, latest] = [Math.min(...times), Math.max(...times)];
  const last = latest < now - stripLength ? latest : Math.max(now, latest);
  const length = Math.ceil(Math.min(stripLength, Math.max(last - earliest, minute)) / (stripBins - 1));
  const bins = binned(moments, last, length, stripBins);
  const from = bins[0]?.from ?? last;
  return {
    from,
    to: from + length * stripBins,
    length,
    bins: bins.map(({ from: begin, value }) => ({
      from: begin,
      total: value.length,
      failed: value.filter(hasFailed).length,
    })),
  };
}

export type LastHour = ReturnType<typeof lastHour>;
