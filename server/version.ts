// As a whole: Node gives JSON no named exports, unlike a bundler.
import packageJson from '../package.json' with { type: 'json' };

/** The version of the console. */
export const { version } = packageJson;
