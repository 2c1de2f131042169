import type { Problem } from '#contract/problem.ts';

const notCopied = (what: string, detail: string): Problem => ({
  type: 'about:blank',
  title: `${what} was not copied`,
  status: 0,
  detail,
  code: 'internal',
});

/** Copies a text to the clipboard, for an effect. Rejects with a Problem that says why it was not copied. */
export async function copyText(text: string, what: string): Promise<void> {
  /* eslint-disable @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts) */
  if (!navigator.clipboard) throw notCopied(what, 'The browser copies only over https or on localhost');
  await navigator.clipboard.writeText(text).catch((error: unknown) => {
    throw notCopied(what, error instanceof Error ? error.message : String(error));
  });
  /* eslint-enable @typescript-eslint/only-throw-error */
}
