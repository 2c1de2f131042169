import { UseError } from '#rules/useError.ts';

/** Returns the address of a console that the user gave by `--console`. Throws UseError. */
function consoleAddress(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  // A mistyped address may hold a password.
  const shown = JSON.stringify(given.replace(/\/\/[^/]*@/, '//…@'));
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UseError(`--console is ${shown}: give the address of a console, such as http://127.0.0.1:3000.`);
  if (url.username + url.password !== '')
    throw new UseError(`--console is ${shown}: leave out user and password; the console must need no sign-in.`);
  return url;
}

/** Why a console has refused a call, in its words. */
function refusalOf(text: string, status: number): string {
  try {
    const { detail, errors } = JSON.parse(text) as { detail?: string; errors?: { path: string; message: string }[] }; // a problem of the console
    const [first] = errors ?? [];
    return first ? `${first.path}: ${first.message}` : (detail ?? `status ${status}`);
  } catch {
    return `status ${status}`;
  }
}

/**
 * Calls a console that needs no sign-in, for a command; returns the JSON that it answers. `path` is below the address that
 * the user gave. Throws UseError.
 */
export async function askConsole(given: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const base = consoleAddress(given);
  const url = new URL(base.pathname.replace(/\/+$/, '') + path, base.origin).href;
  // A redirect leads to a sign-in, whose page is not the answer.
  const { status, ok, type, text } = await fetch(url, { ...init, redirect: 'manual' })
    .then(async (answer) => ({
      status: answer.status,
      ok: answer.ok,
      type: answer.headers.get('content-type') ?? 'no type',
      text: await answer.text(),
    }))
    .catch((error: Error) => {
      throw new UseError(`${url} is unreachable: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
    });
  if (status >= 300 && status < 400)
    throw new UseError(`${url} redirects elsewhere: give the address of a console that needs no sign-in.`);
  if (!ok) throw new UseError(`${url} has refused: ${refusalOf(text, status)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new UseError(`${url} answers with ${type}, not with JSON: is it the address of a console?`);
  }
}
