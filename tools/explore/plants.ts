import { calls } from '../../src/contract/calls.ts';
import type { Facts } from '../../src/contract/facts.ts';
import type { Property } from './properties.ts';
import type { Truth } from './truth.ts';

/** A fault of the page that is planted to see its property break. */
export interface Plant {
  /** The property that has to break, and the page on which that is seen. */
  property: Property;
  at: string;
  /** What else is taken for so. */
  lie?: (truth: Truth) => Truth;
  /** A script that the page runs. */
  script?: string;
  /** Changes what the browser is answered for a path. */
  change?: (path: string, body: string) => string;
}

/** The page, with the script of the plant. */
const withScript = (_: string, body: string): string =>
  body.replace('</head>', '<script src="/explore/plant.js"></script></head>');

const scripted = (property: Property, script: string, at = '/'): Plant => ({
  property,
  at,
  script,
  change: withScript,
});

/** Changes the facts that the page is given. */
const given = (by: (facts: Facts) => Facts) => (path: string, body: string) =>
  path.startsWith(calls.getFacts.path) && body.startsWith('{"') ? JSON.stringify(by(JSON.parse(body) as Facts)) : body; // the server's answer

const everySecond = (what: string): string => `setInterval(() => { ${what} }, 1000);`;

export const plants: Readonly<Record<string, Plant>> = {
  'another heading': scripted('oneHeading', everySecond("document.body.append(document.createElement('h1'))")),
  'an exception': scripted('noUncaughtExceptions', everySecond("throw new Error('planted')")),
  'a rejection': scripted('noUnhandledPromiseRejections', everySecond("Promise.reject(new Error('planted'))")),
  'an error in the console': scripted('noConsoleErrors', everySecond("console.error('planted')")),
  'a wide page': scripted('noSidewaysScroll', everySecond("document.querySelector('main').style.minWidth = '3000px'")),
  'a page that stays busy': scripted(
    'busyEnds',
    `new MutationObserver(() => {
      const main = document.querySelector('main');
      if (main && !main.querySelector('i')) main.append(Object.assign(document.createElement('i'), { ariaBusy: 'true' }));
    }).observe(document, { childList: true, subtree: true });`,
  ),
  'a payment that the service does not have': {
    property: 'whatIsCalledPaidIsOnceUpstream',
    at: '/paymentlist',
    lie: (truth) => ({ ...truth, batches: {} }),
  },
  'a status that the batch does not have': {
    property: 'whatIsCalledPaidIsOnceUpstream',
    at: '/paymentlist',
    lie: (truth) => ({
      ...truth,
      batches: Object.fromEntries(Object.keys(truth.batches).map((id) => [id, 'Processing'])),
    }),
  },
  'an invoice that is paid twice': {
    property: 'whatIsCalledPaidIsOnceUpstream',
    at: '/',
    lie: (truth) => ({ ...truth, twice: ['INV-00001-planted'] }),
  },
  'a gate whose way is closed': {
    property: 'aGateNamesAWayThatIsOpen',
    at: '/createdataset',
    lie: (truth) => ({ ...truth, open: [] }),
  },
  'a gate that is open': {
    property: 'noPageContradictsTheFacts',
    at: '/electronicpayments',
    change: given((facts) => ({ ...facts, creditors: 0 })),
  },
  'another country': {
    property: 'noPageContradictsTheFacts',
    at: '/',
    change: given((facts) => ({ ...facts, settings: { ...facts.settings, providerCountry: 'ZZ' } })),
  },
  'drafts that are dropped': scripted(
    'nothingTypedIsLost',
    "addEventListener('popstate', () => sessionStorage.clear(), true)",
    '/creditors',
  ),
};
