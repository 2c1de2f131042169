const none: readonly string[] = [];

/** Keys by name, in order of addition. Only names with several keys have a set, because most have one. */
export class KeysByName {
  readonly #kept = new Map<string, string | Set<string>>();
  #hasSeveral = false;

  /** Whether any name has ever had several keys; if not, adding a key again changes nothing. */
  get hasSeveral(): boolean {
    return this.#hasSeveral;
  }

  of(name: string): Iterable<string> {
    const keys = this.#kept.get(name) ?? none;
    return typeof keys === 'string' ? [keys] : keys;
  }

  /** Adds a key as the last one; moves it to the end if it exists. */
  add(name: string, key: string): void {
    const keys = this.#kept.get(name);
    if (keys === key) return;
    if (keys === undefined) this.#kept.set(name, key);
    else if (typeof keys === 'string') {
      this.#kept.set(name, new Set([keys, key]));
      this.#hasSeveral = true;
    } else {
      keys.delete(key);
      keys.add(key);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#hasSeveral = false;
  }

  remove(name: string, key: string): void {
    const keys = this.#kept.get(name);
    if (keys instanceof Set) keys.delete(key);
    if (keys === key || (keys instanceof Set && keys.size === 0)) this.#kept.delete(name);
  }
}
