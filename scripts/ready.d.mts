/** Installs the packages and builds if what is there does not match the sources. */
export function ready(): void;

/** Installs the packages of `tools/` as well, and builds nothing. */
export function readyTools(): void;
