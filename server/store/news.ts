import { EventEmitter } from 'node:events';
import type { Engine, Notice } from './engine.ts';
import { namespaceOf, placeOf } from './namespaces.ts';
import type { Place } from './namespaces.ts';
import type { Records } from './records.ts';

/** Notifies waiting pages of changes to the records of all workspaces; keeps nothing in the store. */
export interface News {
  /** Reports that a record with this id, or what is known about it, has changed. */
  tell(place: Place, id: string): void;
  /**
   * Calls `hear` with each of these ids when it changes (with any changed id of the workspace if `ids` is empty), and
   * `end` when the server closes; without `ids`, also when changes may have been missed. Returns a function that
   * unsubscribes.
   */
  follow(workspace: string, ids: readonly string[], hear: (id: string) => void, end: () => void): () => void;
  /** Calls `end` of all followers. */
  end(): void;
  /** The number of active followers. */
  followers(): number;
}

/** Whether writes by other servers to a namespace count as news here. */
const isFollowed = (namespace: string): boolean => /\/(messages|subscriptions|batches)$/.test(namespace);

export function createNews(
  engine: Pick<Engine, 'announce' | 'listen' | 'afterwards'>,
  onError: (error: unknown) => void,
): News {
  const told = new EventEmitter().setMaxListeners(0);
  let followers = 0;
  /** The name of an event; an empty id stands for every id of the workspace. */
  const topic = (workspace: string, id: string) => `of ${workspace}/${id}`;
  const announce = (notice: Notice) => void engine.announce(notice).catch(onError);

  function tell({ workspace }: Place, id: string): void {
    told.emit(topic(workspace, id), id);
    told.emit(topic(workspace, ''), id);
  }
  /** Assumes that everything that pages wait for has changed. */
  function missed(): void {
    for (const name of told.eventNames()) {
      const id = /^of [^/]*\/(.+)$/.exec(String(name))?.[1];
      if (id !== undefined) told.emit(name, id);
    }
    told.emit('gap');
  }
  engine.listen((notice) => {
    if (notice.what === 'missed') missed();
    else if (notice.what === 'tell' || isFollowed(notice.namespace)) tell(placeOf(notice.namespace), notice.id);
  });

  return {
    tell: (place, id) =>
      engine.afterwards(() => {
        tell(place, id);
        announce({ what: 'tell', namespace: namespaceOf(place.workspace, place.scope, 'messages'), id });
      }),
    follow(workspace, ids, hear, end) {
      const topics = (ids.length > 0 ? ids : ['']).map((id) => topic(workspace, id));
      for (const each of topics) told.on(each, hear);
      told.on('end', end);
      // Which ids changed is unknown; a page that subscribes again reads everything that it waits for.
      if (ids.length === 0) told.on('gap', end);
      followers += 1;
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        for (const each of topics) told.off(each, hear);
        told.off('end', end);
        told.off('gap', end);
        followers -= 1;
      };
    },
    end: () => void told.emit('end'),
    followers: () => followers,
  };
}

/** Records that pages wait for. */
export interface Followed<Value> extends Records<Value> {
  /** Notifies the pages that wait for a record that it has changed. */
  tell(id: string): Promise<void>;
}

/** The same records, followed in the place that `here` returns. */
export function followed<Value>(records: Records<Value>, news: News, here: () => Promise<Place>): Followed<Value> {
  return { ...records, tell: async (id) => news.tell(await here(), id) };
}

/** The same records; writing or removing one reports it as news. */
export function telling<Value>(records: Followed<Value>): Followed<Value> {
  const tell = (id: string) => records.tell(id);
  return {
    ...records,
    async put(id, value) {
      await records.put(id, value);
      await tell(id);
    },
    async putAll(values) {
      const all = [...values];
      await records.putAll(all);
      for (const [id] of all) await tell(id);
    },
    async change(id, change) {
      await records.change(id, change);
      await tell(id);
    },
    async add(id, value) {
      await records.add(id, value);
      await tell(id);
    },
    async remove(id) {
      const removed = await records.remove(id);
      if (removed) await tell(id);
      return removed;
    },
    async removeAll(ids) {
      await records.removeAll(ids);
      for (const id of ids) await tell(id);
    },
  };
}
