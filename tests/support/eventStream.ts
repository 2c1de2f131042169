/** An event of a stream; its data as text. */
interface SentEvent {
  event: string;
  id: string;
  data: string;
}

/**
 * Reads the server-sent events of an answer. `next` waits for another one and returns undefined at the end; `leave` ends
 * the connection, also of an answer that was read otherwise.
 */
export function eventsIn({ body }: Response): {
  next: () => Promise<SentEvent | undefined>;
  leave: () => Promise<void>;
} {
  const decoder = new TextDecoder();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let text = '';
  async function next(): Promise<SentEvent | undefined> {
    const end = text.indexOf('\n\n');
    if (end < 0) {
      reader ??= body?.getReader();
      const piece = await reader?.read();
      if (!piece || piece.done) return undefined;
      text += decoder.decode(piece.value, { stream: true });
      return next();
    }
    const lines = text.slice(0, end).split('\n');
    text = text.slice(end + 2);
    const fields = new Map(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])); // name and value
    const [event = '', id = '', data = ''] = ['event', 'id', 'data'].map((name) => fields.get(name));
    return event ? { event, id, data } : next();
  }
  return { next, leave: async () => void (await (reader ?? body)?.cancel().catch(() => undefined)) };
}
