import { compileFunction } from 'node:vm';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AnyActorRef, AnyMachineSnapshot, EventObject } from 'xstate';
import { stepHeader } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import type { ConsoleEvent } from '#machines/console.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { hasTag, stateOf } from '#machines/lib/state.ts';
import type * as Program from './program.ts';

/** The factor by which the clock of the page's machines runs faster. */
const haste = 100;

/** What the page's program takes from its machine. */
export interface Machine {
  fetch: (url: URL, init: RequestInit) => Promise<Response>;
  now: () => number;
  setTimeout: (run: () => void, ms: number) => unknown;
  clearTimeout: (timer: unknown) => void;
  /** The clock of the page's charts. */
  clock: { setTimeout: (run: () => void, ms: number) => unknown; clearTimeout: (timer: unknown) => void };
}

const clearTimer = (timer: unknown): void => clearTimeout(timer as NodeJS.Timeout); // ids of setTimeout below
const thisMachine: Machine = {
  fetch,
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: clearTimer,
  clock: { setTimeout: (run, ms) => setTimeout(run, ms / haste), clearTimeout: clearTimer },
};

/** One call that the page makes; `step` is the journey and state that made it. */
export interface PageCall {
  method: string;
  path: string;
  step: string;
}

/** The session storage of a tab. */
export interface Session {
  getItem: (name: string) => string | null;
  /** A copy, for a duplicated tab. */
  copy: () => Session;
}

/** Web storage in memory, empty or with a copy of another's entries. */
export class MemoryStorage implements Session {
  readonly #kept: Map<string, string>;
  constructor(other?: MemoryStorage) {
    this.#kept = new Map(other?.entries());
  }
  entries = () => [...this.#kept];
  getItem = (name: string): string | null => this.#kept.get(name) ?? null;
  setItem = (name: string, value: string): void => void this.#kept.set(name, value);
  removeItem = (name: string): void => void this.#kept.delete(name);
  copy = (): MemoryStorage => new MemoryStorage(this);
}

/** The state that all tabs of a browser share. */
export interface Browser {
  /** The URL of the console, without a trailing slash. */
  url: string;
  local: MemoryStorage;
  /** Returns how far (ms) the browser's clock is ahead of the machine's. */
  ahead: () => number;
  /** The connection between page and console: forwards a call with `send`, or treats it otherwise. */
  line: (call: PageCall, send: () => Promise<Response>) => Promise<Response>;
  /** By default that of this process. */
  machine?: Machine;
}

/** Replaces the screens of the steps by nothing. */
const withoutScreens: Plugin = {
  name: 'without-screens',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('Step.tsx') ? '\0no-screen' : null),
  load: (id) => (id === '\0no-screen' ? 'export default null;' : null),
};
const ofScreens = [/^react($|[-/])/, /^@chakra-ui/, /^@emotion/];

/** The globals of a browser that the page's program uses. */
const globals = [
  'globalThis',
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'fetch',
  'Date',
  'setTimeout',
  'clearTimeout',
];

type Load = (...globals: unknown[]) => typeof Program;
let bundled: Promise<Load> | undefined;

/** Bundles the page's program into one function, once; each call of the function loads the page anew. */
export const program = (): Promise<Load> =>
  (bundled ??= build({
    configFile: false,
    logLevel: 'error',
    plugins: [withoutScreens],
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry: 'tests/accidents/program.ts', formats: ['iife'], name: 'program' },
      rolldownOptions: { external: ofScreens, output: { codeSplitting: false, globals: () => 'screens' } },
    },
  }).then((built) => {
    const [{ output }] = built as [Rolldown.RolldownOutput]; // one format
    const code = `const screens = { createContext: () => null };\n${output[0].code}\nreturn program;`;
    return compileFunction(code, globals) as Load;
  }));

/** The position of a tab. */
export interface Position {
  /** State of the console's machine. */
  page: string;
  /** The open journey, and the state of its machine; '' if none is open. */
  journey: JourneyId | '';
  state: string;
  /** Whether the state waits for a call. */
  busy: boolean;
  snapshot: AnyMachineSnapshot | null;
  /** The facts of the journey, otherwise the console's. */
  facts: Facts | null;
  /** The company that the page shows; '' if none is known. */
  companyKey: string;
  /** Whether facts are being read. */
  reading: boolean;
}

interface Ended {
  journey: JourneyId;
  type: string;
  result: unknown;
}

export interface Tab {
  at: () => Position;
  /** Sends a user's event to the open journey, which must accept it. */
  press: (event: EventObject) => void;
  tell: (event: ConsoleEvent) => void;
  address: () => string;
  /** Goes to an address within the page. */
  go: (address: string) => void;
  /** The states that journeys have entered, as `journey/state`, latest last. */
  been: readonly string[];
  /** The outputs of the journeys that ended in this tab, latest last. */
  ended: readonly Ended[];
  session: Session;
  /** Goes back to the page before, and forward again. */
  backAndForward: () => Promise<void>;
  /** Leaves the page: its program ends, and pending responses are dropped. */
  close: () => void;
}

/** A tab whose program runs in this process. */
export interface ProgramTab extends Tab {
  /** Rehearses a scenario instead of a user's journeys. Returns what the console did wrong; '' if nothing. */
  rehearse: (scenario: string) => Promise<string>;
}

/** Loads the page at an address; `session` is the storage of a tab that existed before. */
export type OpenTab<Opened = Tab> = (browser: Browser, address: string, session?: Session) => Promise<Opened>;

const contextOf = ({ context }: AnyMachineSnapshot) => context as JourneyContext; // what every journey's context holds

/** Runs the page's program in this process. */
export const openTab: OpenTab<ProgramTab> = async (browser, address, session = new MemoryStorage()) => {
  const load = await program();
  const { machine = thisMachine } = browser;
  const gone = new AbortController();
  let here = new URL(address, browser.url);

  function fetchHere(path: string, { signal, ...init }: RequestInit): Promise<Response> {
    const url = new URL(path, browser.url);
    const step = new Headers(init.headers).get(stepHeader) ?? '';
    const signals = [gone.signal, ...(signal ? [signal] : [])];
    return browser.line({ method: (init.method ?? 'GET').toUpperCase(), path: url.pathname, step }, () =>
      machine.fetch(url, { ...init, signal: AbortSignal.any(signals) }),
    );
  }
  const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
  const document = { ...listens, querySelector: () => null, visibilityState: 'visible', baseURI: browser.url };
  const location = {
    get search() {
      return here.search;
    },
    href: browser.url,
  };
  class TabDate extends Date {
    constructor(...given: [] | [string | number]) {
      super(given[0] ?? machine.now() + browser.ahead());
    }
    static override now = () => machine.now() + browser.ahead();
  }
  // Defined, not assigned: Node's own setters would set them for the whole process.
  const global = Object.create(globalThis, { fetch: { value: fetchHere }, Request: { value: undefined } }) as object;
  const { start, locationAt, rehearse } = load(
    ...[global, { ...listens, location }, document, {}, location, browser.local, session, fetchHere, TabDate],
    ...[machine.setTimeout, machine.clearTimeout],
  );

  const actor = start(machine.clock);
  const been: string[] = [];
  const ended: Ended[] = [];
  let step: AnyActorRef | null = null;
  function note(snapshot: AnyMachineSnapshot): void {
    const journey = snapshot.machine.id as JourneyId; // charts are named after their journeys
    const place = `${journey}/${stateOf(snapshot)}`;
    if (been.at(-1) !== place) been.push(place);
    if (snapshot.status !== 'done') return;
    const { type, result } = snapshot.output as { type: string; result?: unknown }; // a journey's output
    ended.push({ journey, type, result });
  }
  actor.subscribe(({ context }) => {
    if (context.step === step || context.step === null) return;
    step = context.step;
    note(step.getSnapshot() as AnyMachineSnapshot); // a journey is a machine
    step.subscribe({ next: (snapshot) => note(snapshot as AnyMachineSnapshot), error: () => undefined });
  });
  function go(to: string): void {
    here = new URL(to, browser.url);
    actor.send({ type: 'address.changed', opening: locationAt(here.pathname, here.search) });
  }
  actor.on('go', ({ to }) => go(to));
  go(address);

  return {
    at() {
      const { value, context } = actor.getSnapshot();
      const snapshot = (context.step?.getSnapshot() ?? null) as AnyMachineSnapshot | null; // likewise
      return {
        page: value.page,
        journey: context.opening?.journey ?? '',
        state: snapshot ? stateOf(snapshot) : '',
        busy: snapshot !== null && hasTag(snapshot, 'busy') && !hasTag(snapshot, 'told'),
        snapshot,
        facts: snapshot ? contextOf(snapshot).facts : context.facts,
        companyKey: context.facts?.companyKey ?? '',
        reading: value.facts === 'reading',
      };
    },
    press(event) {
      const snapshot = step?.getSnapshot() as AnyMachineSnapshot; // only an open journey is pressed
      if (!snapshot.can(event))
        throw new Error(`${snapshot.machine.id}/${stateOf(snapshot)} does not take ${event.type}`);
      step?.send(event);
    },
    tell: (event) => actor.send(event),
    address: () => here.pathname + here.search,
    go,
    been,
    ended,
    session,
    backAndForward() {
      const from = here.pathname + here.search;
      go('/');
      go(from);
      return Promise.resolve();
    },
    rehearse: (scenario) =>
      rehearse(
        actor,
        { go, now: machine.now, pause: () => new Promise((resolve) => void machine.setTimeout(resolve, 1000)) },
        scenario,
      ),
    close() {
      actor.stop();
      gone.abort();
    },
  };
};
