/** A variable of a collection; the value of a secret is for its user to give. */
export interface Variable {
  name: string;
  value: string;
  isSecret: boolean;
}

export const placeholder = (variable: string): string => `{{${variable}}}`;

/** Ids of this length stand for nothing else; shorter ones only as whole words, because an amount may contain one. */
const unmistakable = 32;

const patternOf = (value: string): string => {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return value.length >= unmistakable ? escaped : `(?<![\\w-])${escaped}(?![\\w-])`;
};

/** The variables of a collection while its requests are read. */
export function createVariables() {
  const byName = new Map<string, Variable>();
  const names = new Map<string, string>();

  /** Returns a name for a value: its own, or one with a number if that belongs to another value. */
  function nameFor(value: string, wanted: string): string {
    const known = names.get(value);
    if (known !== undefined) return known;
    // Scripts and tools take a name as it is.
    const plain = wanted.replace(/\W/g, '') || 'id';
    let name = plain;
    for (let count = 2; byName.has(name); count += 1) name = `${plain}${count}`;
    names.set(value, name);
    byName.set(name, { name, value: '', isSecret: false });
    return name;
  }

  return {
    nameFor,
    isKnown: (value: string) => names.has(value),
    declare(name: string, value: string, isSecret = false): string {
      if (!byName.has(name)) byName.set(name, { name, value, isSecret });
      return placeholder(name);
    },
    /** Names the known values in a text, in one pass: a name may be the value of another. */
    named(text: string): string {
      if (names.size === 0) return text;
      const values = [...names.keys()].toSorted((one, other) => other.length - one.length);
      return text.replace(new RegExp(values.map(patternOf).join('|'), 'g'), (value) =>
        placeholder(names.get(value) ?? ''),
      );
    },
    all: () => [...byName.values()],
  };
}

export type Variables = ReturnType<typeof createVariables>;
