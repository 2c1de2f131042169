import { transliterated } from '#rules/letters.ts';

/** File extensions by media type; files of other types are texts. */
const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'text/csv': 'csv',
  'text/xml': 'xml',
};

/** Words of a format's name that tell it from no other. */
const fillers = new Set(['standard', 'format', 'file']);

/** Lower-case words of a text, joined by dashes. */
const slug = (text: string): string =>
  (
    transliterated(text)
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  )
    .filter((word) => !fillers.has(word))
    .join('-');

/** The beginning of a long id, such as a UUID. */
const shortened = (id: string): string => (id.length > 16 ? id.slice(0, 8) : id);

/**
 * The name of a payment file that the service gives none: format and batch, such as `bacs-18_ceb9d50c.txt`. The name of
 * the format may be ''.
 */
export function paymentFileName(format: string, batchId: string, type: string): string {
  const extension = extensions[type.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'txt';
  return `${slug(format) || 'payment-file'}_${slug(shortened(batchId)) || 'batch'}.${extension}`;
}
