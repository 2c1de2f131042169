import type { Page } from 'playwright-core';

/** What a translator does with the text that it translates: another text stands for it, or it is moved into an element. */
export type Manner = 'replaced' | 'moved';

/**
 * Has each text of a page, also each later one, wrapped like by the translator of a browser, which says the same words: its
 * elements stand where the page has put its texts. It leaves out what is marked as untranslatable.
 *
 * @param when the page is translated when it has loaded, or already while it arrives.
 */
export const translate = (page: Page, manner: Manner, when: 'loaded' | 'arriving' = 'loaded'): Promise<unknown> =>
  page.addInitScript(
    ([how, since]) => {
      const untranslated = 'script, style, textarea, title, noscript, font, [translate=no], svg';
      const wrap = (text: Text) => {
        if (!text.data.trim() || text.parentElement?.closest(untranslated) !== null) return;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        outer.append(inner);
        if (how === 'replaced') inner.append(text.data);
        text.replaceWith(outer);
        if (how === 'moved') inner.append(text);
      };
      const wrapAll = (node: Node) => {
        const texts: Text[] = [];
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        if (node instanceof Text) texts.push(node);
        while (walker.nextNode()) texts.push(walker.currentNode as Text); // the walker shows texts alone
        texts.forEach(wrap);
      };
      const begin = () => {
        wrapAll(document);
        new MutationObserver((records) => {
          for (const { addedNodes, target } of records)
            [target, ...addedNodes].filter((each) => each.isConnected).forEach(wrapAll);
        }).observe(document, { childList: true, characterData: true, subtree: true });
      };
      if (since === 'arriving') begin();
      else addEventListener('load', begin);
    },
    [manner, when] as const,
  );

/** A part of React's tree, as far as it is read here. */
interface Fiber {
  tag: number;
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedProps: unknown;
  memoizedState: unknown;
  stateNode: unknown;
}

/** What the page shows in the place of its texts, and what it has rendered; without what lies over it. */
export const textsOf = (page: Page): Promise<{ shown: string; rendered: string }> =>
  page.evaluate(() => {
    const [portal, text, offscreen, hoisted] = [4, 6, 22, 26];
    const root = document.getElementById('root')!;
    const key = Object.keys(root).find((each) => each.startsWith('__reactContainer'))!;
    const { stateNode } = (root as unknown as Record<string, Fiber>)[key]!; // where React keeps its tree
    const { current } = stateNode as { current: Fiber }; // of the root
    const list = (fiber: Fiber | null): Fiber[] => (fiber ? [fiber, ...list(fiber.child), ...list(fiber.sibling)] : []);
    const portals = list(current).filter(({ tag }) => tag === portal);
    const said = (fiber: Fiber | null): string => {
      let all = '';
      for (let each = fiber; each; each = each.sibling) {
        const { tag, child, stateNode: node } = each;
        const props = each.memoizedProps as { children?: unknown } | string | null; // of any component
        if (tag === portal || tag === hoisted || (tag === offscreen && each.memoizedState !== null)) continue;
        if (tag === text)
          all += props as string; // of a text
        else if (node instanceof HTMLTextAreaElement) continue;
        else if (node instanceof Element && !child && typeof props === 'object')
          all += ['string', 'number', 'bigint'].includes(typeof props?.children) ? String(props?.children) : '';
        else all += said(child);
        if (node instanceof Element)
          for (const into of portals)
            if ((into.stateNode as { containerInfo: unknown }).containerInfo === node) all += said(into.child); // of a portal
      }
      return all;
    };
    const copy = root.cloneNode(true) as Element; // of an element
    copy.querySelectorAll('textarea').forEach((area) => area.remove());
    return { shown: copy.textContent ?? '', rendered: said(current) };
  });
