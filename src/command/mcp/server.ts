import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import packed from '../../../package.json' with { type: 'json' };
import { offerDocuments } from './documents.ts';
import { readTools } from './readTools.ts';
import { sandboxTools } from './sandboxTools.ts';
import type { Session } from './session.ts';
import { offer, type Claimed } from './tool.ts';
import { verifyTools } from './verifyTools.ts';

const instructions = `Works on a sandbox of a payments-out service, which moves no money; never on a live service. Read docs:///first-payment.md for the calls of a payment, docs:///verify.md before a program is verified. Each tool that changes something takes an idempotency key: one key for one intention.`;

/**
 * Creates the server for agents. `root` is the folder of the built console; `open` opens the session, which is asked for
 * when a tool needs it, and again if that has failed. `signal` ends the tools that run, which are in `running` meanwhile.
 */
export function createAgentServer(
  root: string,
  open: () => Promise<Session>,
  signal: AbortSignal,
  running = new Set<Promise<unknown>>(),
): McpServer {
  const server = new McpServer({ name: 'payments-out-console', version: packed.version }, { instructions });
  let opened: Promise<Session> | undefined;
  const session = () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const claimed: Claimed = new Map();
  for (const each of [...sandboxTools, ...readTools, ...verifyTools(root)])
    offer({ server, session, claimed, signal, running }, each);
  offerDocuments(server, join(root, 'docs'));
  return server;
}
