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

/** Makes the gauges, which have no samples before they are read. */
export function createGauges(registers: Registry<OpenMetricsContentType>[]) {
  const readers: (() => Promise<GaugeValues>)[] = [];
  const up = new Gauge({
    name: 'console_up',
    help: 'Whether the store, the payments service and the sign-in service answer: 1 or 0.',
    labelNames: ['what'],
    registers,
  });
  const sessions = new Gauge({ name: 'console_sessions', help: 'Sessions used within an hour.', registers });
  const connections = new Gauge({
    name: 'console_store_connections',
    help: 'Connections of this server to PostgreSQL by their state, and requests that wait for one.',
    labelNames: ['state'],
    registers,
  });
  const payments = new Gauge({
    name: 'console_payments',
    help: 'Payments whose response is awaited, and those whose outcome has stayed unknown.',
    labelNames: ['state'],
    registers,
  });
  const quarantined = new Gauge({
    name: 'console_quarantined_records',
    help: 'Records that were set aside because they cannot be read.',
    registers,
  });

  function show(values: GaugeValues): void {
    const { store, upstream, signIn } = values.up;
    for (const [what, isUp] of Object.entries({ store, service: upstream, signIn }))
      if (isUp !== undefined) up.set({ what }, isUp ? 1 : 0);
    const { connections: { used, idle, waiting } = {} } = values;
    for (const [state, number] of Object.entries({ used, idle, waiting }))
      if (number !== undefined) connections.set({ state }, number);
    for (const [state, number] of Object.entries(values.payments ?? {})) payments.set({ state }, number);
    if (values.sessions !== undefined) sessions.set(values.sessions);
    if (values.quarantined !== undefined) quarantined.set(values.quarantined);
  }

  return {
    observe: (read: () => Promise<GaugeValues>) => void readers.push(read),
    async read(): Promise<void> {
      const standings = await Promise.all(readers.map((read) => read()));
      // What cannot be read now would otherwise keep its last value, or be 0 without labels.
      for (const each of [up, connections, payments]) each.reset();
      for (const each of [sessions, quarantined]) each.remove();
      standings.forEach(show);
    },
  };
}
