/** What a translator has put in the place of a text, and the texts in whose place an element stands, in their order. */
const standIns = new WeakMap<Text, ChildNode>();
const texts = new WeakMap<Node, readonly Text[]>();
/** Texts that the page itself has removed. */
const gone = new WeakSet<Node>();

const isTranslation = (node: Node | null | undefined): node is HTMLElement =>
  node instanceof HTMLElement && node.localName === 'font'; // what each of them uses, and the page does not

function replace(text: Text, by: ChildNode, isAfter: boolean): void {
  const others = (texts.get(by) ?? []).filter((each) => each !== text);
  standIns.set(text, by);
  texts.set(by, isAfter ? [...others, text] : [text, ...others]);
}

/** Notes of each text that was taken out what stands for it: what came in its place, or is beside it. */
function note(records: readonly MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const removed of removedNodes) {
      const stoodFor = texts.get(removed) ?? (removed instanceof Text && !gone.has(removed) ? [removed] : []);
      const came = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
      if (came) for (const each of stoodFor) replace(each, came, came !== nextSibling);
    }
}

/**
 * Lets translators of the browser work on a page that React renders. They put elements in the place of React's texts, or
 * wrap them, which React does not know: it fails when it removes such a text or inserts something before it, and what it
 * writes into one is not seen. So a text that React asks for is put back in its place first; the translator finds it there
 * and translates it again. What React adds, changes and removes otherwise is left alone.
 *
 * A text that has gone without anything in its place counts as removed, and what comes before it goes to the end of its
 * parent.
 */
export function letTranslatorsWork(): void {
  const own = (name: keyof Node) => Object.getOwnPropertyDescriptor(Node.prototype, name)!; // of every browser
  const removeChild = own('removeChild').value as Node['removeChild'];
  const insertBefore = own('insertBefore').value as Node['insertBefore'];
  const appendChild = own('appendChild').value as Node['appendChild'];
  const value = own('nodeValue');
  const observer = new MutationObserver(note);
  observer.observe(document, { childList: true, subtree: true });

  /** Puts a text back where it was, with those for which the same element stands. */
  function putBack(text: Text): void {
    note(observer.takeRecords());
    const standIn = standIns.get(text);
    if (!standIn?.parentNode) return;
    const all = texts.get(standIn) ?? [];
    texts.delete(standIn);
    for (const each of all) standIns.delete(each);
    standIn.replaceWith(...all.filter((each) => !gone.has(each)));
    observer.takeRecords(); // what was just done
  }

  /** A text that is, or was, a child of that parent, is its child again. */
  function settle(node: Node | null, parent: Node): void {
    if (!(node instanceof Text) || node.parentNode === parent) return;
    putBack(node);
    if (node.parentNode === parent || !parent.contains(node)) return;
    let wrapper: ChildNode = node;
    while (wrapper.parentElement && wrapper.parentNode !== parent) wrapper = wrapper.parentElement;
    wrapper.replaceWith(node);
  }

  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      settle(child, this);
      if (child instanceof Text) {
        gone.add(child);
        if (child.parentNode === null) return child;
      }
      return removeChild.call(this, child);
    },
    insertBefore(this: Node, child: Node, next: Node | null) {
      if (child instanceof Text) putBack(child);
      settle(next, this);
      return insertBefore.call(this, child, next instanceof Text && next.parentNode !== this ? null : next);
    },
    appendChild(this: Node, child: Node) {
      if (child instanceof Text) putBack(child);
      return appendChild.call(this, child);
    },
  });
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...value,
    set(this: Text, text: string | null) {
      if (!this.isConnected) putBack(this);
      value.set?.call(this, text);
    },
  });
}
