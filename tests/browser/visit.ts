import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** An ordinary window, in CSS px. */
const viewport = { width: 1280, height: 720 };

/** An address of the console's at which no code runs. */
export const blank = '/colour-mode.js';

/** Longest time that anything on the page may take, in ms. */
const patience = 20_000;

export interface Visit {
  page: Page;
  /** Errors and warnings of the browser's console, and what scripts died of. */
  errors: readonly string[];
  /**
   * Makes the page what it was when it was opened, all that it keeps removed. It costs half of another one, whose process
   * has to start and to compile everything. Not undone: a clock that was set, scripts that were added, the history.
   */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a page in a browser profile of its own, with every error and warning noted, for a user who wants no motion: what
 * is half faded in has no contrast to judge. Addresses are relative to `baseURL`.
 */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patience);
  const errors: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  const page = await context.newPage();

  async function sweep(): Promise<void> {
    const others = context.pages().filter((each) => each !== page);
    await Promise.all([...others.map((other) => other.close()), page.unrouteAll(), context.clearPermissions()]);
    await page.goto(blank);
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await context.clearCookies();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: null, media: null });
    await page.mouse.move(0, 0);
    errors.length = 0;
  }

  return { page, errors, sweep, close: () => context.close() };
}

/** Where a page is and what it and its frames say, to print when a test has failed. */
export async function storyOf({ page, errors }: Visit): Promise<string> {
  const said = page.frames().map(async (frame) => `${frame.url()}\n${await frame.locator('body').innerText()}`);
  return [...(await Promise.all(said)), ...errors].join('\n\n');
}
