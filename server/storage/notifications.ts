import { EventEmitter } from 'node:events';

/** A message of a topic: the id of what has changed; or a gap, in which messages of any topic may have been lost. */
export type Notification = { id: string } | { gap: true };

/** Maximum length (bytes) of a payload; PostgreSQL takes 8,000. */
const maximumLength = 7000;

interface Payload {
  /** The server that sent it. */
  from: string;
  topic: string;
  id: string;
}

/**
 * Delivers messages to the subscribers in this process, and with `send` to those of other servers. Messages are not
 * stored: whoever must not miss one reads the database after a gap, and from time to time.
 */
export function createNotifications(server: string, onError: (error: unknown) => void) {
  const topics = new EventEmitter().setMaxListeners(0);

  const deliver = (topic: string, id: string) => void topics.emit(`topic ${topic}`, { id } satisfies Notification);
  const deliverGap = () => {
    for (const name of topics.eventNames()) topics.emit(name, { gap: true } satisfies Notification);
  };

  return {
    deliver,
    deliverGap,
    /** Returns what other servers are sent; a text that is too long is sent as a gap. */
    payloadOf(topic: string, id: string): string {
      const payload = JSON.stringify({ from: server, topic, id } satisfies Payload);
      return Buffer.byteLength(payload) > maximumLength ? JSON.stringify({ from: server }) : payload;
    },
    /** Delivers what another server has sent. */
    receive(text: string): void {
      try {
        const { from, topic, id } = JSON.parse(text) as Partial<Payload>; // as payloadOf writes it
        if (from === server) return;
        if (topic === undefined || id === undefined) deliverGap();
        else deliver(topic, id);
      } catch (error) {
        onError(error);
      }
    },
    /** Returns a function that unsubscribes. */
    subscribe(topic: string, onMessage: (message: Notification) => void): () => void {
      topics.on(`topic ${topic}`, onMessage);
      return () => void topics.off(`topic ${topic}`, onMessage);
    },
  };
}
