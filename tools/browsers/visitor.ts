import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** What a browser's driver does in the frame that it is in. */
export interface Driver {
  name: string;
  version: string;
  open(url: string): Promise<void>;
  /** Runs a function body in the page and returns its JSON value. Rejects with what it threw. */
  run(body: string): Promise<unknown>;
  /** Presses the first element of a CSS selector as a user's mouse does. */
  press(selector: string): Promise<void>;
  /** Works in the frame of a CSS selector, then in the page again. */
  within(selector: string, work: () => Promise<void>): Promise<void>;
  /** What the browser itself has noted since it was asked last. */
  errors(): string[];
  close(): Promise<void>;
}

/** How long (ms) something may take to appear. */
const patience = 30_000;

const library = readFileSync('node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js', 'utf8');

/** Finds what a user sees by role and name, and marks it for the driver; true once it can be pressed. */
const find = (role: string, name: string | RegExp) => `
  const name = ${name instanceof RegExp ? String(name) : JSON.stringify(name)};
  for (const marked of document.querySelectorAll('[data-found]')) marked.removeAttribute('data-found');
  const [found] = TestingLibraryDom.queryAllByRole(document.body, ${JSON.stringify(role)}, { name });
  if (!found) return false;
  found.setAttribute('data-found', '');
  found.scrollIntoView({ block: 'center' });
  return !found.closest('[aria-busy=true], [aria-disabled=true]');`;

/** A user in any browser, who finds things by what they are and say. */
export class Visitor {
  private readonly driver: Driver;
  presses = 0;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  async open(url: string): Promise<void> {
    await this.driver.open(url);
  }

  /** Runs a script in the page, which knows `TestingLibraryDom` and keeps the page's errors in `pageErrors`. */
  async run(body: string): Promise<unknown> {
    const isKnown = await this.driver.run(`return 'TestingLibraryDom' in window`);
    if (!isKnown)
      await this.driver.run(`(function () { ${library} }).call(window);
        window.pageErrors = [];
        window.addEventListener('error', (event) => pageErrors.push(String(event.error ?? event.message)));
        window.addEventListener('unhandledrejection', (event) => pageErrors.push(String(event.reason)));
        const say = console.error;
        console.error = (...said) => { pageErrors.push(said.map(String).join(' ')); say(...said); };`);
    return this.driver.run(body);
  }

  /** Waits until a script comes to true. Throws what was looked for and what was there instead. */
  private async until(body: string, what: string, within = patience): Promise<void> {
    const end = Date.now() + within;
    // A page that is being left, or has just come, runs no script.
    while ((await this.run(body).catch(() => false)) !== true) {
      if (Date.now() > end) {
        const there = await this.run('return location.href + "\\n" + document.body.innerText');
        throw new Error(`There is no ${what}, but ${String(there)}`);
      }
      await wait(100);
    }
  }

  /** Waits for something with a role and a name. */
  see(role: string, name: string | RegExp): Promise<void> {
    return this.until(find(role, name), `${role} ${String(name)}`);
  }

  /** Waits for a text. */
  read(text: RegExp): Promise<void> {
    return this.until(`return ${String(text)}.test(document.body.innerText)`, String(text));
  }

  async press(role: string, name: string | RegExp): Promise<void> {
    await this.see(role, name);
    await this.driver.press('[data-found]');
    this.presses += 1;
  }

  /**
   * Presses in the frame with a title, which goes away by that. Browsers drop what is pressed in a frame before they have
   * painted it, so what had no effect is pressed again, as a user would.
   */
  async pressWithin(title: RegExp, role: string, name: string): Promise<void> {
    const mark = `
      const frame = [...document.querySelectorAll('iframe')].find(({ title }) => ${String(title)}.test(title));
      frame?.setAttribute('data-frame', '');
      frame?.scrollIntoView({ block: 'center' });`;
    const press = () => this.driver.within('[data-frame]', () => this.press(role, name));
    const isGone = () => this.until(`${mark} return frame === undefined;`, 'way out of the frame', 3000);
    await this.until(`${mark} return frame !== undefined;`, `frame ${String(title)}`);
    for (let tries = 1; tries < 5; tries += 1) {
      await press();
      try {
        return await isGone();
      } catch {
        // Once more.
      }
    }
    await isGone();
  }

  /** What went wrong in the page since it was loaded, and what the browser has noted since it was asked last. */
  async errors(): Promise<string[]> {
    const inPage = (await this.run('return pageErrors.splice(0)')) as string[]; // as set above
    return [...new Set([...inPage, ...this.driver.errors()])];
  }
}
