import { secretWordFor } from '#contract/secrets.ts';
import { maskSecrets } from '#contract/secretShapes.ts';
import type { Walk } from '#runner/actions.ts';
import { quoted } from './code/curl.ts';

/** Where the command runs: what starts it, the console that it uses, and whether its users sign in. */
interface CommandPlace {
  command: string;
  origin: string;
  signsIn: boolean;
}

/** The line of a POSIX shell that does a step's work on this console, with the values that its user has given. */
export function commandLine({ journey, values, choices }: Walk, { command, origin, signsIn }: CommandPlace): string {
  const given = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(choices).length > 0 && { choices }),
  };
  const entry = Object.keys(given).length > 0 ? JSON.stringify({ journey, ...given }, null, 2) : journey;
  const word = secretWordFor(entry);
  const masked = maskSecrets(entry, word);
  return [
    ...(signsIn ? ['# $CONSOLE_COOKIE: the cookie of your session, name=value'] : []),
    ...(masked === entry ? [] : [`# Put the secret in place of ${word}.`]),
    `${command} --console ${origin}${entry === journey ? ' ' : ' \\\n  '}--journey ${entry === journey ? journey : quoted(masked)}`,
    '',
  ].join('\n');
}
