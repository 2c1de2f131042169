import type { Page } from 'playwright-core';

/** The fewest characters for which a field has room. */
const fewest = 8;

/**
 * What cannot be read of a page as it is now, a sentence each: texts that lie over one another, texts that are cut
 * and can neither be scrolled to nor read otherwise, and fields too narrow to type in.
 */
export const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate((fewest) => {
    interface Drawn {
      text: string;
      node: Node;
      layer: Element | null;
      box: DOMRect;
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
    const between = (a: DOMRect, b: DOMRect) => {
      const [x, y] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
      return new DOMRect(
        x,
        y,
        Math.max(0, Math.min(a.right, b.right) - x),
        Math.max(0, Math.min(a.bottom, b.bottom) - y),
      );
    };
    const isLayer = ({ position, zIndex }: CSSStyleDeclaration) =>
      /fixed|sticky/.test(position) || (position === 'absolute' && Number(zIndex) > 0);
    /** What lies over the page on purpose: bars, menus, dialogs, headings that stay while a table scrolls. */
    const layerOf = (element: Element): Element | null => {
      for (let each: Element | null = element; each; each = each.parentElement)
        if (isLayer(getComputedStyle(each)) || each.matches(':popover-open, dialog')) return each;
      return null;
    };
    const faults: string[] = [];
    const said = (text: string) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60));

    /** The part of a box that is drawn; says where it is cut for good. */
    const drawnOf = (text: string, element: Element, whole: DOMRect): DOMRect => {
      let box = whole;
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(each);
        if (each instanceof SVGElement && !(each instanceof SVGSVGElement)) continue;
        if (overflowX !== 'visible' || overflowY !== 'visible') {
          const edge = each.getBoundingClientRect();
          const isHidden = edge.width <= 2 || edge.height <= 2; // for assistive technology only
          const isCut =
            (/hidden|clip/.test(overflowX) && box.right > edge.right + 2 && box.left < edge.right) ||
            (/hidden|clip/.test(overflowY) && box.bottom > edge.bottom + box.height / 3 && box.top < edge.bottom);
          const otherwise = element.closest('[title], [aria-label], summary, button, a');
          if (isCut && !isHidden && !otherwise) faults.push(`${said(text)} is cut`);
          box = between(box, edge);
        }
        if (position === 'fixed') break;
      }
      return box;
    };

    const all: Drawn[] = [];
    const add = (text: string, node: Node, element: Element, whole: DOMRect) => {
      const box = drawnOf(text, element, whole);
      if (box.width > 2 && box.height > 2) all.push({ text, node, layer: layerOf(element), box });
    };
    const modal = document.querySelector('dialog:modal') ?? document.body;
    const walker = document.createTreeWalker(modal, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      if (
        !element ||
        !node.textContent?.trim() ||
        element.closest('script, style, noscript, option') ||
        !isSeen(element)
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // A line box is higher than its letters.
      for (const { x, y, width, height } of range.getClientRects())
        add(node.textContent, node, element, new DOMRect(x, y + height / 4, width, height / 2));
    }
    for (const field of modal.querySelectorAll<HTMLInputElement>(
      'input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), textarea, [role=combobox]',
    )) {
      if (!isSeen(field) || field.getBoundingClientRect().width <= 2) continue;
      const style = getComputedStyle(field);
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const characters = Math.min(fewest, field.maxLength > 0 ? field.maxLength : fewest);
      const pen = document.createElement('canvas').getContext('2d')!;
      pen.font = style.font;
      if (room < pen.measureText('0').width * characters)
        faults.push(
          `${said(field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.name)} has ${Math.round(room)} px to type in`,
        );
    }
    all.forEach((one, index) => {
      for (const other of all.slice(index + 1)) {
        // The lines of one text; where its end is cut by an ellipsis, the browser reports them twice.
        if (one.node === other.node || one.layer !== other.layer) continue;
        const { width, height } = between(one.box, other.box);
        if (width > 2 && height > 2) faults.push(`${said(one.text)} lies over ${said(other.text)}`);
      }
    });
    return [...new Set(faults)];
  }, fewest);
