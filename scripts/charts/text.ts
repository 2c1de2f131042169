/** Widths of a proportional sans serif in parts of the font size: Arial's, rounded up. */
const narrow = /[iljI.,:;'|!“”‘’ ftr()-]/;
const wide = /[mwMW@…]/;
const capital = /[A-Z0-9$]/;

const widthOf = (letter: string): number =>
  wide.test(letter) ? 0.9 : capital.test(letter) ? 0.7 : narrow.test(letter) ? 0.35 : 0.58;

/** Width of a text in px at a font size in px, a little more than it takes. There is no browser to ask. */
export const textWidth = (text: string, fontSize: number): number =>
  Math.ceil([...text].reduce((width, letter) => width + widthOf(letter), 0) * fontSize);

/** Words set in lines of at most `letters` letters where they fit. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
