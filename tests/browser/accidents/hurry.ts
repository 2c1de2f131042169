/** In the page: lets what takes long pass sooner, and the day be that of the console. */
export function hurry(): void {
  /** What takes longer (ms) passes so many times as fast. */
  const [long, haste] = [300, 20];
  const pass = window.setTimeout.bind(window);
  const hurried = (run: TimerHandler, ms = 0, ...rest: unknown[]) => pass(run, ms > long ? ms / haste : ms, ...rest);
  window.setTimeout = hurried as typeof window.setTimeout; // Node's type has more members
  if (location.protocol === 'about:') return; // without storage
  const ahead = () => Number(localStorage.getItem('ahead'));
  const now = Date.now.bind(Date);
  window.Date = class extends Date {
    constructor(...given: [] | [string | number]) {
      super(given[0] ?? now() + ahead());
    }
    static override now = () => now() + ahead();
  } as DateConstructor; // nobody calls it without new
}
