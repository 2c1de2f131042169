/** Matches what is meant as an IBAN: country, check digits and 11 to 30 letters or digits. */
const ibanShape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i;

/** Returns whether an account's number, without blanks, is meant as an IBAN, in any case. */
export const looksLikeIban = (number: string): boolean => ibanShape.test(number);

/** ISO 7064 MOD 97-10: letters count from A = 10, country and check digits come last. */
const isIban = (text: string): boolean => {
  const turned = text.slice(4) + text.slice(0, 4);
  return BigInt(turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n;
};

/**
 * Returns why the identification of an account cannot be right, in one sentence; '' if it can. Only what looks like an
 * IBAN, in any case and with or without blanks, has check digits; other account numbers follow the provider's rules.
 */
export function ibanFlaw(identification: string): string {
  const iban = identification.replace(/\s/g, '').toUpperCase();
  if (!looksLikeIban(iban) || isIban(iban)) return '';
  return `the check digits ${iban.slice(2, 4)} do not fit the IBAN: enter it as its bank has given it`;
}
