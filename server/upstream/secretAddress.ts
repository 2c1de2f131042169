import { secretWord } from '#contract/secrets.ts';

/** An address that authorises itself. */
export interface SecretAddress {
  /** The address with `$TOKEN` for each part that may be the secret. */
  shown: string;
  /** What is never recorded: path and query as a whole, and each of these parts. */
  secrets: readonly string[];
}

/** A part of a path that names a place: lower-case words, as in `payment-files.txt`, or a version. */
const place = /^(?:[a-z]{1,14}(?:[._-][a-z]{1,14}){0,2}|v\d)?$/;

/** Parts shorter than this occur in other texts as well. */
const shortest = 8;

/**
 * Returns a link as it may be shown: with its places and the ids that are known, such as that of the file's batch, and with
 * the names of its parameters. Which other part is the secret, only the service knows.
 */
export function secretAddress(link: URL, known: readonly string[]): SecretAddress {
  const segments = link.pathname.split('/');
  const isShown = (segment: string) => place.test(segment) || known.includes(segment);
  const parameters = link.search === '' ? [] : link.search.slice(1).split('&');
  const values = parameters.map((each) => each.slice(each.indexOf('=') + 1));
  const names = parameters.map((each) => (each.includes('=') ? each.replace(/=.*$/s, `=${secretWord}`) : secretWord));
  const path = segments.map((each) => (isShown(each) ? each : secretWord)).join('/');
  const parts = [...segments.filter((each) => !isShown(each)), ...values];
  return {
    shown: `${link.origin}${path}${names.length === 0 ? '' : `?${names.join('&')}`}`,
    secrets: [(link.pathname + link.search).slice(1), ...parts.filter(({ length }) => length >= shortest)],
  };
}
