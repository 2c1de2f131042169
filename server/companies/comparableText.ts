/**
 * How texts of payments and payees are compared. Creditors are found by texts that were normalised when they were stored:
 * whoever changes how, has the earlier ones named anew by a migration.
 */
export interface Comparison {
  /** Normalises a text: ignores letter case, spacing, invisible characters and the kind of a dash. */
  text: (text?: string) => string;
  /** Normalises an account number, which may contain separators. */
  number: (text: string) => string;
}

/** Matches a text in which only the letter case needs normalising. */
const isPlain = /^[!-~]*$/;
/** Matches blanks, also that of Braille, and characters that are not drawn. */
const unseen = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]+/gu;
/** Matches dashes, also those that Unicode counts as letters or symbols. */
const dashes = /[\p{Dash}\p{Dash_Punctuation}\u02d7\u2043\u2796]/gu;

const drawn = (text: string): string => text.replace(unseen, '').normalize('NFKC');

const comparable = (text: string): string =>
  // In capitals first: some small letters have the same capital.
  drawn(drawn(text).toUpperCase().toLowerCase()).replace(unseen, '').replace(dashes, '-');

const comparisonBy = (normalise: (text: string) => string): Comparison => {
  const text = (given = '') => (isPlain.test(given) ? given.toLowerCase() : normalise(given));
  return {
    text,
    number(given) {
      const shown = text(given);
      return /^[0-9a-z]*$/.test(shown) ? shown : shown.replace(/[^\p{L}\p{N}]/gu, '');
    },
  };
};

export const comparison = comparisonBy(comparable);

/**
 * Returns an id of an application, organisation or company in the form in which it is compared (wire, section 2.2):
 * blanks around it do not reach the service, and letters count alike in capitals and small.
 */
export const comparableId = (id: string): string => id.trim().toLowerCase();

/** Whether two ids stand for the same application, organisation or company. */
export const isSameId = (one: string, other: string): boolean => comparableId(one) === comparableId(other);
