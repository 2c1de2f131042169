/** Installs what runs and builds, and builds, if what is there does not match the sources. */
export function ready(): Promise<void>;

/** Installs what tests and checks need as well; builds nothing. */
export function readyForDevelopment(): Promise<void>;

/** Installs the packages of `tools/` as well, which only the commands that are there need; builds nothing. */
export function readyTools(): Promise<void>;

/** Runs the file of TypeScript that this process was given, with the arguments after it, in this process; none if there is none. */
export function runTypeScript(): Promise<void>;
