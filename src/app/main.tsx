import createCache from '@emotion/cache';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { loadFacts } from './effects/facts.ts';
import { claimDrafts } from './client/drafts.ts';
import { Root, styleKey } from './App.tsx';
import { subject } from './client/user.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
const cache = createCache({ key: styleKey, ...(nonce ? { nonce } : {}) });
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');

claimDrafts(subject());
// No translator begins before the page has loaded; without this code only a translated page suffers.
import('#app/frame/translatedTexts.ts').then(({ letTranslatorsWork }) => letTranslatorsWork()).catch(() => undefined);
const facts = loadFacts(); // in parallel with rendering
facts.catch(() => undefined); // the machine reports the failure
const page = <Root cache={cache} router={BrowserRouter} facts={facts} />;
document.getElementById('start')?.remove();
// The server sends most pages prerendered.
if (root.hasChildNodes()) hydrateRoot(root, page);
else createRoot(root).render(page);
