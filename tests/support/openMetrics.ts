/** One measured value. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A metric with its samples. */
interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)?\\})? (\\S+)$`);
const number = /^([+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?Inf|NaN)$/i;

/** Units as they stand in names; times are in seconds and sizes in bytes. */
const otherUnits = /_(ms|milliseconds|microseconds|minutes|kb|kilobytes|percent)(_|$)/;

/** The names that the samples of a metric may have, by its type, without the metric's own name. */
const suffixes: Record<string, readonly string[]> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
};

function valueOf(text: string): number {
  if (!number.test(text)) throw new Error(`not a number: ${text}`);
  return Number(text.replace(/inf$/i, 'Infinity'));
}

function sampleIn(line: string): Sample {
  const [, named = '', labelled = ''] = sampleLine.exec(line) ?? [];
  if (named === '') throw new Error(`neither sample nor description: ${line}`);
  const pairs = [...labelled.matchAll(new RegExp(label, 'g'))].map(([, key = '', value = '']) => [key, value] as const);
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`a label stands twice: ${line}`);
  return { name: named, labels: Object.fromEntries(pairs), value: valueOf(line.slice(line.lastIndexOf(' ') + 1)) };
}

/** Checks that the buckets of each histogram begin and end as they must, and only grow. */
function checkBuckets(family: string, samples: readonly Sample[]): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _le, ...others } = sample.labels;
    const key = JSON.stringify(Object.entries(others).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((each) => each.name === `${family}_bucket`);
    const bounds = buckets.map(({ labels }) => valueOf(labels['le'] ?? ''));
    const counts = buckets.map(({ value }) => value);
    const [count] = group.filter((each) => each.name === `${family}_count`);
    const grows = (list: readonly number[]) => list.every((each, index) => index === 0 || each >= list[index - 1]!); // it has one
    if (bounds.at(-1) !== Infinity || !grows(bounds) || !grows(counts) || counts.at(-1) !== count?.value)
      throw new Error(`the buckets of ${family} ${key} are not those of a histogram`);
  }
}

/**
 * Reads the text format of OpenMetrics 1.0, without exemplars, timestamps and units. Throws an Error for whatever it does
 * not allow: samples without a type, named otherwise than their type says, mixed with those of another metric or doubled,
 * and text after the end.
 */
export function readOpenMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  if (!text.endsWith('\n# EOF\n')) throw new Error('the end is missing');
  let [current, helped] = ['', { name: '', text: '' }];
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const [, kind, of = '', said = ''] = new RegExp(`^# (HELP|TYPE) (${name}) (.*)$`).exec(line) ?? [];
    if (kind === 'HELP') helped = { name: of, text: said };
    else if (kind === 'TYPE') {
      if (families.has(of)) throw new Error(`${of} is described twice`);
      if (helped.name !== of || helped.text === '') throw new Error(`${of} is not explained`);
      if (!(said in suffixes) || of.endsWith('_total')) throw new Error(`${of} is no ${said}`);
      if (otherUnits.test(of)) throw new Error(`${of} is not in a base unit`);
      families.set((current = of), { type: said, help: helped.text, samples: [] });
    } else {
      const sample = sampleIn(line);
      const family = families.get(current);
      if (!family || !suffixes[family.type]!.some((suffix) => sample.name === current + suffix))
        throw new Error(`${line} is not of ${current}`);
      const id = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(id)) throw new Error(`${id} stands twice`);
      seen.add(id);
      family.samples.push(sample);
    }
  }
  for (const [each, { type, samples }] of families) {
    if (type === 'histogram') checkBuckets(each, samples);
    if (type !== 'gauge' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${each} is below 0`);
  }
  return families;
}
