/** Matches what is meant as an IBAN: country, check digits and 11 to 30 letters or digits. */
const ibanShape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The remainder of ISO 7064 MOD 97-10: letters count from A = 10, country and check digits come last. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/**
 * Returns why the identification of an account cannot be right, in one sentence; '' if it can. Only what looks like an
 * IBAN, in any case and with or without blanks, has check digits; other account numbers follow the provider's rules.
 */
export function ibanFlaw(identification: string): string {
  const iban = identification.replace(/\s/g, '').toUpperCase();
  if (!ibanShape.test(iban) || remainder(iban) === 1) return '';
  return `the check digits ${iban.slice(2, 4)} do not fit the IBAN: enter it as its bank has given it`;
}
