import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { startConsole, type Started } from '../start.ts';
import { createAgentServer } from './server.ts';
import { inputError } from './inputErrors.ts';
import { openSession, type Session } from './session.ts';

/**
 * Serves an agent over standard input and output until the input ends or `interrupted` aborts. The console starts with the
 * first tool that needs it, on its own sandbox, in its own folder, whatever this shell configures; both end with this.
 */
export async function main(root: string, interrupted: AbortSignal): Promise<void> {
  // The server of the SDK parses the inputs and takes no messages of a caller's own: they are set for this process.
  z.config({ customError: inputError });
  let started: Started | undefined;
  let session: Session | undefined;
  const server = createAgentServer(root, async () => {
    started ??= await startConsole(root);
    session = await openSession({ origin: started.origin, headers: {} });
    return session;
  });
  const ended = once(process.stdin, 'close', { signal: interrupted }).catch(() => undefined);
  const over = once(process.stdin, 'end', { signal: interrupted }).catch(() => undefined);
  await server.connect(new StdioServerTransport());
  await Promise.race([ended, over]);
  await server.close();
  session?.end();
  await started?.stop();
}
