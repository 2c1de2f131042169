/**
 * The lock, of each workspace, for what replaces or saves its sandbox together with the companies of the console: one
 * after the other, because a company without its sandbox can never be used again.
 */
export const sandboxLock = 'sandbox';
