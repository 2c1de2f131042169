import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Engine, Row } from './engine.ts';
import type { Seal } from './seal.ts';

/** Thrown for an unreadable record: it was changed, moved or never encrypted, or its key is not configured. */
export class UnreadableError extends Error {
  /** The record's place: `{namespace}/{id}`. */
  readonly record: string;

  constructor(record: string, cause: unknown) {
    super(`The record ${record} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'UnreadableError';
    this.record = record;
  }
}

/** A record that was set aside; `at` is an ISO time. */
export interface SetAside {
  kind: string;
  id: string;
  at: string;
}

/** Moves unreadable records, unchanged, to a table of their own, so that the other records can be listed. */
export interface Aside {
  /**
   * Reports the error and moves a row, unless its value has changed meanwhile. Leaves the row if the store cannot be
   * written.
   */
  take(namespace: string, row: Row, error: UnreadableError): Promise<void>;
  of(workspace: string): Promise<SetAside[]>;
  count(): Promise<number>;
}

export const asideIn = ({ entries }: Engine, clock: Clock, onError: (error: unknown) => void): Aside => ({
  async take(namespace, row, error) {
    onError(error);
    await entries.setAside(namespace, row, clock.now()).catch(onError);
  },
  async of(workspace) {
    const rows = await entries.aside(workspace);
    // The kind is the last part; a scope may precede it.
    return rows.map(({ namespace, key, at }) => ({ kind: namespace.split('/').at(-1)!, id: key, at: iso(at) }));
  },
  count: () => entries.asideCount(),
});

/**
 * Returns a function that resolves with the places, {namespace}/{key}, of unreadable settings in all workspaces. It
 * reads the settings again only if some were unreadable or a foreign program has written to the store.
 */
export function unreadableSettingsIn(engine: Engine, seal: Seal): () => Promise<string[]> {
  let sound: string | undefined;
  return async () => {
    const version = await engine.foreign();
    if (version === sound) return [];
    const rows = await engine.entries.settings();
    const found = rows.filter(({ place, value }) => !isReadable(seal, value, place)).map(({ place }) => place);
    sound = found.length === 0 ? version : undefined;
    return found;
  };
}

function isReadable(seal: Seal, value: string, place: string): boolean {
  try {
    seal.open(value, place);
    return true;
  } catch {
    return false;
  }
}
