import type { Peers } from '#server/storage/engine.ts';
import type { Choice } from './decisions.ts';
import { DeadError } from './disk.ts';
import type { Owner, Scheduler } from './scheduler.ts';

interface Session {
  owner: Owner;
  /** How often it was made again; messages to an earlier one are lost. */
  number: number;
  onMessage: (payload: string) => void;
  onGap: () => void;
}

interface Lock {
  name: string;
  owner: Owner;
  onLost: () => void;
}

/** What several servers on one SQLite database have in common: its connection, locks and messages. */
export class SharedDatabase {
  readonly #scheduler: Scheduler;
  readonly #choice: Choice;
  readonly #sessions = new Map<Owner, Session>();
  readonly #locks = new Map<string, Lock>();
  /** Locks of sessions that were ended, until their owners have noticed that, or have released them. */
  readonly #lost = new Set<Lock>();
  /** Who uses the connection, and who waits for it. */
  #user: Owner | undefined;
  #waiting: { owner: Owner; begin: () => void }[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#choice = scheduler.of('peers');
  }

  #next(): void {
    this.#user = undefined;
    // One that is suspended does nothing with its turn.
    const index = this.#waiting.findIndex(({ owner }) => !this.#scheduler.isAsleep(owner));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) {
      const [asleep] = this.#waiting;
      if (asleep) this.#scheduler.plan(0, '', () => this.#user === undefined && this.#next(), asleep.owner);
      return;
    }
    this.#user = next.owner;
    next.begin();
  }

  async #turn(owner: Owner): Promise<() => void> {
    while (this.#scheduler.isAsleep(owner)) await this.#scheduler.wait(0, owner);
    if (owner.isDead) throw new DeadError('the process is dead');
    const release = () => {
      if (this.#user === owner) this.#next();
    };
    if (this.#user === undefined) {
      this.#user = owner;
      return release;
    }
    return new Promise((resolve) => this.#waiting.push({ owner, begin: () => resolve(release) }));
  }

  /** The way of a process to its database and back, in the world's time. */
  readonly #way = (owner: Owner): Promise<void> => this.#scheduler.wait(this.#choice.between(0, 2), owner);

  join(owner: Owner): Peers {
    const session: Session = { owner, number: 0, onMessage: () => undefined, onGap: () => undefined };
    this.#sessions.set(owner, session);
    return {
      server: owner.name,
      turn: () => this.#turn(owner),
      session: {
        tryLock: async (name, onLost = () => undefined) => {
          await this.#way(owner);
          const isTaken = !this.#locks.has(name);
          if (isTaken) this.#locks.set(name, { name, owner, onLost });
          await this.#way(owner);
          return isTaken;
        },
        unlock: async (name) => {
          await this.#way(owner);
          if (this.#locks.get(name)?.owner === owner) this.#locks.delete(name);
          for (const lost of this.#lost) if (lost.name === name && lost.owner === owner) this.#lost.delete(lost);
        },
      },
      send: (payload) => {
        for (const to of this.#sessions.values()) {
          const { number } = to;
          if (to === session) continue;
          this.#scheduler.plan(
            this.#choice.between(1, 30),
            '',
            () => to.number === number && to.onMessage(payload),
            to.owner,
          );
        }
      },
      listen(onMessage, onGap) {
        Object.assign(session, { onMessage, onGap });
      },
    };
  }

  /** Frees what a process that has died held. */
  leave(owner: Owner): void {
    this.#sessions.delete(owner);
    for (const [name, lock] of this.#locks) if (lock.owner === owner) this.#locks.delete(name);
    this.#waiting = this.#waiting.filter((each) => each.owner !== owner);
    if (this.#user === owner) this.#next();
  }

  /**
   * The database ends the session of a process: its locks are free, and its messages are lost, until it has noticed. It
   * takes the locks again that nobody else has taken meanwhile.
   */
  cut(owner: Owner): void {
    const session = this.#sessions.get(owner);
    if (!session) return;
    const lost = [...this.#locks.values()].filter((lock) => lock.owner === owner);
    for (const lock of lost) {
      this.#locks.delete(lock.name);
      this.#lost.add(lock);
    }
    session.number += 1;
    this.#scheduler.plan(
      this.#choice.between(0, 40),
      `${owner.name} notices that the database has ended its session`,
      () => {
        for (const lock of lost) {
          lock.onLost();
          if (this.#lost.delete(lock) && !this.#locks.has(lock.name)) this.#locks.set(lock.name, lock);
        }
        session.onGap();
      },
      owner,
    );
  }
}
