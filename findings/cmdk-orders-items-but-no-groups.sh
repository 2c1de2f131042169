#!/usr/bin/env bash
# cmdk 1.1.1 with React 19.3.1: while one types, the items of each group are ordered by their score, but the groups are not. The
# best match of all is not the first item, and Enter chooses the best match of the first group.
#
# Guess before the run: a group stands where its best item ranks, as its code tries to sort groups by their highest score.
# Seen: for "pay" the group with "Repay early" stays first, and that item is selected instead of "Pay".
# Installs the packages in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund cmdk@1.1.1 react@19.3.1 react-dom@19.3.1 jsdom@26.1.0
cat > run.mjs <<'JS'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<!doctype html><div id="root"></div>', { pretendToBeVisual: true });
Object.assign(globalThis, { window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: true });
for (const name of ['HTMLElement', 'Node', 'Element', 'MutationObserver', 'CustomEvent', 'Event'])
  globalThis[name] = window[name];
globalThis.ResizeObserver = window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.requestAnimationFrame = window.requestAnimationFrame;
window.Element.prototype.scrollIntoView = () => undefined;
const { createElement: h, act } = await import('react');
const { createRoot } = await import('react-dom/client');
const { Command } = await import('cmdk');

const item = (name) => h(Command.Item, { key: name, value: name }, name);
const tree = (search) =>
  h(
    Command,
    { label: 'Palette' },
    h(Command.Input, { value: search }),
    h(
      Command.List,
      null,
      h(Command.Group, { heading: 'Pages' }, item('Map of the journeys'), item('Repay early')),
      h(Command.Group, { heading: 'Acts' }, item('Suspend a day'), item('Pay')),
    ),
  );
const root = createRoot(document.getElementById('root'));
await act(async () => root.render(tree('')));
await act(async () => root.render(tree('pay')));
await act(async () => new Promise((resolve) => setTimeout(resolve, 50)));
const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
console.log(`items: ${texts('[cmdk-item]').join(', ')}`);
console.log(`selected: ${texts('[cmdk-item][aria-selected=true]').join(', ')}`);
process.exit(0);
JS
seen=$(node run.mjs)
echo "$seen"
expected='items: Repay early, Map of the journeys, Pay, Suspend a day
selected: Repay early'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
