import type { StreamEvent } from '#machines/connection.machine.ts';
import { createConnection } from '#app/client/connection.ts';

/** The locks of a browser with several windows, as far as a page uses them. */
export function browserLocks() {
  const held = new Map<string, Promise<unknown>>();
  const request = (async (name: string, { signal }: LockOptions, use: () => unknown): Promise<void> => {
    await Promise.resolve(); // as in a browser, no lock is granted before `request` has returned
    const gone = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    while (held.has(name)) {
      await Promise.race([held.get(name), gone]);
      if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
    }
    const using = Promise.resolve(use());
    held.set(name, using);
    await using;
    held.delete(name);
  }) as LockManager['request'];
  return { request };
}

/** The channels between the windows of a browser, as far as a page uses them. */
export function browserChannels() {
  const channels = new Set<BroadcastChannel>();
  return (name: string): BroadcastChannel => {
    const channel = {
      name,
      onmessage: null as BroadcastChannel['onmessage'],
      postMessage(data: unknown) {
        for (const other of channels)
          if (other !== (channel as unknown) && other.name === name)
            queueMicrotask(() => {
              if (channels.has(other)) other.onmessage?.({ data: structuredClone(data) } as MessageEvent);
            });
      },
      close: () => void channels.delete(channel),
    } as BroadcastChannel;
    channels.add(channel);
    return channel;
  };
}

/** What a browser has; null for what it does not support. */
interface Browser {
  locks?: Parameters<typeof createConnection>[0]['locks'] | null;
  channel?: ReturnType<typeof browserChannels> | null;
}

/** A browser whose tabs share a stream. `tab` opens one; its streams are opened and written to by the test. */
export function browserWithTabs({ locks = browserLocks(), channel = browserChannels() }: Browser = {}) {
  return {
    tab: () => {
      const streams: { send: (event: StreamEvent) => void; isOpen: boolean }[] = [];
      const connection = createConnection({
        locks: locks ?? undefined,
        channel: channel ?? undefined,
        stream(send) {
          const stream = { send, isOpen: true };
          streams.push(stream);
          return () => (stream.isOpen = false);
        },
      });
      const emitted: string[] = [];
      connection.on('*', (event) => void emitted.push(event.type === 'news' ? event.id : event.type));
      return {
        connection,
        streams,
        emitted,
        /** The number of streams that it has open. */
        open: () => streams.filter(({ isOpen }) => isOpen).length,
        send: (event: StreamEvent) => streams.at(-1)!.send(event), // one has been opened
        news: (id: string) => streams.at(-1)!.send({ type: 'stream.message', message: { type: 'news', id } }),
      };
    },
  };
}

/** A page that has a stream of its own. */
export const testPage = () => browserWithTabs({ locks: null }).tab();
