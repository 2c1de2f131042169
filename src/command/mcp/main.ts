import { once } from 'node:events';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { startConsole, type Started } from '../start.ts';
import { inputError } from './inputErrors.ts';
import { messagesOf } from './lines.ts';
import { createAgentServer } from './server.ts';
import { openSession, type Session } from './session.ts';
import { plainly } from './transport.ts';

/**
 * Serves an agent over standard input and output until one of them ends or `interrupted` aborts. The console starts with the
 * first tool that needs it, on its own sandbox, in its own folder, whatever this shell configures; both end with this, as
 * does what a tool has started.
 */
export async function main(root: string, interrupted: AbortSignal): Promise<void> {
  // The server of the SDK takes no messages of a caller's own: they are set for this process.
  z.config({ customError: inputError });
  const gone = new AbortController();
  const signal = AbortSignal.any([interrupted, gone.signal]);
  let started: Promise<Started> | undefined;
  let session: Session | undefined;
  const running = new Set<Promise<unknown>>();
  const open = async () => {
    started = startConsole(root, signal);
    const { origin } = await started;
    session = await openSession({ origin, headers: {} });
    return session;
  };
  const over = Promise.race([
    ...['end', 'close'].map((event) => once(process.stdin, event)),
    once(process.stdout, 'error'),
    once(signal, 'abort'),
  ]).catch(() => undefined); // of standard input
  const lines = process.stdin.pipe(messagesOf((line) => void process.stdout.write(line)));
  const served = serveStdio(() => createAgentServer(root, open, signal, running), {
    transport: plainly(new StdioServerTransport(lines)),
  });
  if (!signal.aborted) await over;
  gone.abort(new Error('the agent has ended'));
  await served.close();
  await Promise.all(running);
  session?.end();
  await started?.then(({ stop }) => stop()).catch(() => undefined); // one that did not start has left nothing
}
