/** Installs the packages and builds if what is there does not match the sources. */
export function ready(): void;
