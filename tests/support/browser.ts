import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { env, getuid } from 'node:process';
import { chromium, type Browser } from 'playwright-core';

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];

/** Default installation paths of browsers that are not on the PATH. */
const places = [
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`),
  ...[env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((path) =>
      join(folder ?? '', path),
    ),
  ),
];

/** Playwright's download folders, and the executables in them. */
const caches = [
  env['PLAYWRIGHT_BROWSERS_PATH'],
  join(homedir(), '.cache/ms-playwright'),
  join(homedir(), 'Library/Caches/ms-playwright'),
  join(env['LOCALAPPDATA'] ?? '', 'ms-playwright'),
];
const cachedNames = /^(headless_shell|chrome-headless-shell|chrome|Chromium|Google Chrome for Testing)(\.exe)?$/;

const onPath = (): string[] =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.flatMap((name) => [join(folder, name), join(folder, `${name}.exe`)]));

const inCaches = (): string[] =>
  caches.flatMap((cache) =>
    cache && existsSync(cache)
      ? readdirSync(cache, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && cachedNames.test(basename(entry.name)))
          .map((entry) => join(entry.parentPath, entry.name))
      : [],
  );

/** Installs the package; returns false if that fails. */
function aptInstall(packageName: string): boolean {
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', packageName], { stdio: 'inherit' });
    return true;
  } catch {
    return false;
  }
}

/** Installs a browser on Debian-based systems, which works without a prompt as root. */
function install(): void {
  if (!existsSync('/usr/bin/apt-get') || getuid?.() !== 0) return;
  try {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' });
  } catch {
    // The cached package lists may suffice; if not, the installation fails.
  }
  if (!aptInstall('chromium-headless-shell')) aptInstall('chromium');
}

/**
 * The path of a Chromium executable: CHROMIUM_PATH, else an installed one, else one that is now installed. Throws an
 * error that says in one sentence what to do.
 */
export function findChromium(): string {
  const given = env['CHROMIUM_PATH'];
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(
      `CHROMIUM_PATH is ${given}, but there is no such file: give the path of a Chromium, Chrome or Edge.`,
    );
  }
  const find = () => [...onPath(), ...places, ...inCaches()].find((path) => existsSync(path));
  const found = find() ?? (install(), find());
  if (found) return found;
  throw new Error(
    'The tests in the browser need a Chromium: install Chromium, Chrome or Edge, or set CHROMIUM_PATH to its executable.',
  );
}

/** Launches a headless browser; the caller must close it. */
export const openBrowser = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath });
