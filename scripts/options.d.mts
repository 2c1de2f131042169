/** A sentence that says what is wrong with the options. */
export class OptionError extends Error {}

/** Reads the arguments: options, and the word `sandbox`. Throws OptionError. */
export function optionsOf(args: readonly string[]): Readonly<Record<string, string | boolean>>;
