import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** What a browser's driver does in the frame that it is in. */
export interface Driver {
  name: string;
  version: string;
  open(url: string): Promise<void>;
  /** Runs a function body in the page and returns its JSON value. Rejects with what it threw. */
  run(body: string): Promise<unknown>;
  /** Presses, and types into, the first element of a CSS selector, as a user's mouse and keyboard do. */
  press(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Works in the frame of a CSS selector, then in the page again. */
  within(selector: string, work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** How long (ms) something may take to appear. */
const patience = 30_000;

const library = readFileSync('node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js', 'utf8');

/** Finds what a user sees by role and name, and marks it for the driver. */
const find = (role: string, name: string, exact: boolean) => `
  const name = ${exact ? JSON.stringify(name) : `new RegExp(${JSON.stringify(name)})`};
  for (const marked of document.querySelectorAll('[data-found]')) marked.removeAttribute('data-found');
  const [found] = TestingLibraryDom.queryAllByRole(document.body, ${JSON.stringify(role)}, { name });
  if (!found) return false;
  found.setAttribute('data-found', '');
  found.scrollIntoView({ block: 'center' });
  return !found.closest('[aria-busy=true]');`;

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

  /** Waits for something with a role and a name, exact or as the source of a regular expression. Throws what it looked for. */
  async see(role: string, name: string, exact = true): Promise<void> {
    const end = Date.now() + patience;
    while (Date.now() < end) {
      if (await this.run(find(role, name, exact))) return;
      await wait(100);
    }
    const text = await this.run('return document.body.innerText');
    throw new Error(`${this.driver.name} shows no ${role} ${name}, but:\n${String(text)}`);
  }

  async press(role: string, name: string, exact = true): Promise<void> {
    await this.see(role, name, exact);
    await this.driver.press('[data-found]');
    this.presses += 1;
  }

  async type(role: string, name: string, text: string): Promise<void> {
    await this.see(role, name);
    await this.driver.type('[data-found]', text);
  }

  within(selector: string, work: () => Promise<void>): Promise<void> {
    return this.driver.within(selector, work);
  }

  /** What went wrong in the page since it was loaded. */
  async errors(): Promise<string[]> {
    return (await this.run('return pageErrors')) as string[]; // as set above
  }
}
