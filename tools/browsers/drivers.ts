import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import puppeteer, { type Frame } from 'puppeteer-core';
import { Builder, By, type WebDriver } from 'selenium-webdriver';
import type { Driver } from './visitor.ts';

const size = { width: 1440, height: 900 };

/** Something that a browser needs is not on this machine; the message says what, and how to get it. */
export class NotInstalled extends Error {}

/** The first of the paths that there is. Throws NotInstalled with what is missing and Debian's package of it. */
function installed(what: string, debian: string, ...paths: string[]): string {
  const found = paths.find((path) => existsSync(path));
  if (found) return found;
  throw new NotInstalled(`${what} is not installed (looked for ${paths.join(', ')}); on Debian: apt install ${debian}`);
}

/** Firefox over WebDriver BiDi. Throws NotInstalled. */
export async function firefox(): Promise<Driver> {
  const executablePath = installed(
    'Firefox',
    'firefox-esr',
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, defaultViewport: size });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  let here: Frame = page.mainFrame();
  const element = async (selector: string) => {
    const found = await here.$(selector);
    if (!found) throw new Error(`There is no ${selector}`);
    return found;
  };
  return {
    name: 'Firefox',
    version: await browser.version(),
    open: async (url) => void (await page.goto(url)),
    run: (body) => here.evaluate(`(() => { ${body} })()`),
    press: async (selector) => (await element(selector)).click(),
    async within(selector, work) {
      const frame = await (await element(selector)).contentFrame();
      if (!frame) throw new Error(`${selector} is no frame`);
      here = frame;
      await work().finally(() => (here = page.mainFrame()));
    },
    errors: () => errors.splice(0),
    close: () => browser.close(),
  };
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits up to 20 s for a WebDriver to answer. */
async function answering(url: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (
    !(await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > end) throw new Error(`The WebDriver at ${url} does not answer`);
    await wait(100);
  }
}

/** WebKitGTK over WebDriver, on a screen of its own. Throws NotInstalled. */
export async function webkit(): Promise<Driver> {
  const driverPath = installed('WebKitWebDriver', 'webkit2gtk-driver', '/usr/bin/WebKitWebDriver');
  const screenPath = installed('Xvfb', 'xvfb', '/usr/bin/Xvfb');
  const binary = installed(
    'The MiniBrowser of WebKitGTK',
    'libwebkit2gtk-4.1-0',
    ...['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  );
  const started: ChildProcess[] = [];
  const end = () => started.forEach((each) => each.kill());
  process.once('exit', end);
  const screen = spawn(screenPath, ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(screen);
  // It takes a display that is free and says which.
  const [display] = (await once(createInterface(screen.stdout), 'line')) as [string];
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${display}` };
  started.push(spawn(driverPath, [`--port=${port}`], { stdio: 'ignore', env }));
  const url = `http://127.0.0.1:${port}`;
  await answering(url);
  const browser: WebDriver = await new Builder()
    .usingServer(url)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build();
  await browser.manage().window().setRect(size);
  return {
    name: 'WebKitGTK',
    version: String((await browser.getCapabilities()).get('browserVersion')),
    open: (address) => browser.get(address),
    run: (body) => browser.executeScript(body),
    press: (selector) => browser.findElement(By.css(selector)).click(),
    async within(selector, work) {
      await browser.switchTo().frame(await browser.findElement(By.css(selector)));
      await work().finally(() => browser.switchTo().defaultContent());
    },
    // WebDriver does not tell; the page's own scripts do.
    errors: () => [],
    async close() {
      await browser.quit();
      end();
    },
  };
}
