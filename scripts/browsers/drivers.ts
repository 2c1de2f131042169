import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import puppeteer, { type Frame } from 'puppeteer-core';
import { Builder, By, type WebDriver } from 'selenium-webdriver';
import type { Driver } from './visitor.ts';

const size = { width: 1440, height: 900 };

const installed = (...paths: string[]): string | undefined => paths.find((path) => existsSync(path));

/** Firefox over WebDriver BiDi; undefined where it is not installed. */
export async function firefox(): Promise<Driver | undefined> {
  const executablePath = installed(
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );
  if (!executablePath) return undefined;
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, defaultViewport: size });
  const page = await browser.newPage();
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
    type: async (selector, text) => (await element(selector)).type(text),
    async within(selector, work) {
      here = (await (await element(selector)).contentFrame()) ?? here;
      await work().finally(() => (here = page.mainFrame()));
    },
    close: () => browser.close(),
  };
}

/** WebKitGTK over WebDriver, on a screen of its own; undefined where driver, browser or Xvfb is not installed. */
export async function webkit(): Promise<Driver | undefined> {
  const driverPath = installed('/usr/bin/WebKitWebDriver');
  const screenPath = installed('/usr/bin/Xvfb');
  const binary = installed(
    ...['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  );
  if (!driverPath || !screenPath || !binary) return undefined;
  const DISPLAY = ':97';
  const port = 31_997;
  const started: ChildProcess[] = [
    spawn(screenPath, [DISPLAY, '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], { stdio: 'ignore' }),
    spawn(driverPath, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY } }),
  ];
  process.once('exit', () => started.forEach((each) => each.kill()));
  await wait(1000); // neither says when it is ready
  const browser: WebDriver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build();
  await browser.manage().window().setRect(size);
  return {
    name: 'WebKitGTK',
    version: String((await browser.getCapabilities()).get('browserVersion')),
    open: (url) => browser.get(url),
    run: (body) => browser.executeScript(body),
    press: (selector) => browser.findElement(By.css(selector)).click(),
    type: (selector, text) => browser.findElement(By.css(selector)).sendKeys(text),
    async within(selector, work) {
      await browser.switchTo().frame(await browser.findElement(By.css(selector)));
      await work().finally(() => browser.switchTo().defaultContent());
    },
    async close() {
      await browser.quit();
      started.forEach((each) => each.kill());
    },
  };
}
