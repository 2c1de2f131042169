/** The placeholder for a secret that is set; the secret itself stays on the server (behaviour, sections 3 and 10.8). */
export const secretIsSet = '••••••••';

/** What stands for a secret in a record. */
export const secretWord = '$TOKEN';

/** A word that stands for each secret in a text: `$TOKEN`, or with a number if the text itself has that. */
export function secretWordFor(text: string): string {
  let word: string = secretWord;
  for (let count = 2; text.includes(word); count += 1) word = `${secretWord}_${count}`;
  return word;
}
