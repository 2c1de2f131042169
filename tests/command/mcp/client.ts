import { Client, type Transport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** What a tool has answered: the texts of its content, and whether it is an error. */
export interface Answered {
  texts: string[];
  isError: boolean;
}

/** A coding agent's client, connected until the test ends. */
export async function agentOn(transport: Transport) {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());

  async function ask(name: string, input: object = {}): Promise<Answered> {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } }, { timeout: 120_000 });
    const texts = (content as { text: string }[]).map(({ text }) => text); // all tools answer in texts
    return { texts, isError: isError === true };
  }
  /** The answer of a tool that has succeeded. */
  async function read<T = Record<string, unknown>>(name: string, input: object = {}): Promise<T> {
    const { texts, isError } = await ask(name, input);
    if (isError) throw new Error(texts.join('\n'));
    return JSON.parse(texts[0]!) as T; // an answer has a text
  }
  return { client, ask, read };
}
