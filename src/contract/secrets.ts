/** The placeholder for a secret that is set; the secret itself stays on the server (behaviour, sections 3 and 10.8). */
export const secretIsSet = '••••••••';

/** A word that stands for each secret in a text: `$TOKEN`, or with a number if the text itself has that. */
export function secretWordFor(text: string): string {
  let word = '$TOKEN';
  for (let count = 2; text.includes(word); count += 1) word = `$TOKEN_${count}`;
  return word;
}
