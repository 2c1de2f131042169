import { forgetAnswers } from './client.ts';
import type { StreamEvent } from '#machines/connection.machine.ts';
import { connectTo } from './http.ts';
import { subscribeThrough } from './recordEvents.ts';

/** A console's server: its address without a trailing slash, and the headers of every request. */
export interface Server {
  origin: string;
  headers: Readonly<Record<string, string>>;
}

/** Reads a stream of server-sent events until it ends; calls `heard` with the type and data of each event. */
async function listen(response: Response, heard: (type: string, data: string) => void): Promise<void> {
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, type = ''] = /^event: ?(.*)$/m.exec(event) ?? [];
      const [, data = ''] = /^data: ?(.*)$/m.exec(event) ?? [];
      heard(type, data);
    }
  }
}

/** Subscribes to a server's stream of news, as the page does. */
const newsFrom = ({ origin, headers }: Server) =>
  function connect(send: (event: StreamEvent) => void): () => void {
    const ending = new AbortController();
    void (async () => {
      const { signal } = ending;
      const response = await fetch(`${origin}/api/events`, { headers, signal });
      if (!response.ok || !response.body) throw new Error(`The event stream was refused with ${response.status}`);
      send({ type: 'stream.opened' });
      await listen(response, (type, data) => {
        if (type === 'here') send({ type: 'stream.heartbeat' });
        if (type !== 'news') return;
        const { id } = JSON.parse(data) as { id: string }; // the server's news have an id
        send({ type: 'stream.message', message: { type, id } });
      });
      throw new Error('The event stream has ended');
    })().catch(() => ending.signal.aborted || send({ type: 'stream.lost' }));
    return () => ending.abort();
  };

const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Sends all calls to a console's server, and hears its news, until the returned function is called. */
export function connectElsewhere(server: Server): () => void {
  connectTo({ ...server, direct: onThisMachine.test(new URL(server.origin).hostname) });
  const endNews = subscribeThrough(newsFrom(server));
  forgetAnswers();
  return () => {
    connectTo(null);
    endNews();
    forgetAnswers();
  };
}
