/** A sentence, without its end, about a file that cannot be written. */
export class UnwrittenError extends Error {
  constructor(file: string, cause: unknown);
}

/** Rejects with UnwrittenError if a report cannot be written to `path`; leaves no empty file there. */
export function checkReport(name: string, path: string): Promise<void>;

/** Writes a text to a file. Rejects with UnwrittenError. */
export function writeText(path: string, text: string, name?: string): Promise<void>;

/** Writes a report whole, or leaves what was there. Rejects with UnwrittenError. */
export function writeReport(name: string, path: string, text: string): Promise<void>;
