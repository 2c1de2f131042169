import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Longest time that anything on the page may take, in ms. */
const patience = 20_000;

export interface Visit {
  page: Page;
  /** Errors and warnings of the browser's console, and what scripts died of. */
  errors: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a page in a browser profile of its own, with every error and warning noted, for a user who wants no motion: what
 * is half faded in has no contrast to judge. Addresses are relative to `baseURL`.
 */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patience);
  const errors: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  return { page: await context.newPage(), errors, close: () => context.close() };
}

/** Where a page is and what it and its frames say, to print when a test has failed. */
export async function storyOf({ page, errors }: Visit): Promise<string> {
  const said = page.frames().map(async (frame) => `${frame.url()}\n${await frame.locator('body').innerText()}`);
  return [...(await Promise.all(said)), ...errors].join('\n\n');
}
