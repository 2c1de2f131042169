import { Gauge } from 'prom-client';
import type { OpenMetricsContentType, Registry } from 'prom-client';
import type { Connections } from '#server/storage/postgres.ts';
import type { Readiness } from './readiness.ts';

/** How a console stands at one moment; what cannot be read, or does not apply, is absent. */
export interface GaugeValues {
  /** Whether what the console needs works. */
  up: Pick<Readiness, 'store' | 'upstream' | 'signIn'>;
  sessions?: number;
  connections?: Connections;
  /** Payments whose outcome is not known: the response may still arrive, or it is overdue. */
  payments?: { pending: number; unknown: number };
  quarantined?: number;
}

const states = (values: object): [label: string, value: number][] =>
  Object.entries(values).map(([state, number]) => [state, Number(number)]);

/** The gauges: what each says, and its samples by their label. A gauge without a label has one sample at most. */
const table: Readonly<
  Record<string, { help: string; label?: string; samples: (values: GaugeValues) => [label: string, value: number][] }>
> = {
  console_up: {
    help: 'Whether the store, the payments service and the sign-in service answer: 1 or 0.',
    label: 'what',
    samples: ({ up: { store, upstream, signIn } }) =>
      states({ store, service: upstream, ...(signIn !== undefined && { signIn }) }),
  },
  console_sessions: {
    help: 'Sessions used within an hour.',
    samples: ({ sessions }) => (sessions === undefined ? [] : [['', sessions]]),
  },
  console_store_connections: {
    help: 'Connections of this server to PostgreSQL by their state, and requests that wait for one.',
    label: 'state',
    samples: ({ connections }) =>
      connections ? states({ used: connections.used, idle: connections.idle, waiting: connections.waiting }) : [],
  },
  console_payments: {
    help: 'Payments whose response is awaited, and those whose outcome has stayed unknown.',
    label: 'state',
    samples: ({ payments }) => states(payments ?? {}),
  },
  console_quarantined_records: {
    help: 'Records that were set aside because they cannot be read.',
    samples: ({ quarantined }) => (quarantined === undefined ? [] : [['', quarantined]]),
  },
};

/** Makes the gauges, which have no samples before they are read. */
export function createGauges(registers: Registry<OpenMetricsContentType>[]) {
  const readers: (() => Promise<GaugeValues>)[] = [];
  const gauges = Object.entries(table).map(([name, { help, label, samples }]) => ({
    label,
    samples,
    gauge: new Gauge({ name, help, labelNames: label ? [label] : [], registers }),
  }));
  return {
    observe: (read: () => Promise<GaugeValues>) => void readers.push(read),
    async read(): Promise<void> {
      const standings = await Promise.all(readers.map((read) => read()));
      for (const { gauge, label, samples } of gauges) {
        // What cannot be read now would otherwise keep its last value, or be 0 without labels.
        gauge.reset();
        if (!label) gauge.remove();
        for (const [of, value] of standings.flatMap(samples)) gauge.set(label ? { [label]: of } : {}, value);
      }
    },
  };
}
