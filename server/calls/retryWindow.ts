import type { Clock } from '#server/clock.ts';
import type { ServiceClock } from './serviceClock.ts';

/** The time within which a request may be sent under its idempotency key. */
export interface RetryWindow {
  /** The time (ms) when the key was claimed. */
  claimedAt: number;
  /** The remaining time (ms) for which the service honours the key; 0 or less if it may have forgotten it. */
  remaining(): number;
}

/** What a window depends on. */
export interface KeyLife {
  /** When the key was claimed (ms). */
  claimedAt: number;
  /** The steady time then, if this process has claimed it; the machine's clock may have been set since its start. */
  claimedSteady?: number | undefined;
  /** The time (ms) of the service when the request was sent first; undefined if it is not known. */
  serviceTime?: number | undefined;
  /** How long (ms) the service honours the key. */
  keyTtl: number;
  serviceClock: ServiceClock;
}

/**
 * Minimum time (ms) between the start of a request and the expiry of its key at the service, so that the request arrives
 * in time.
 */
const margin = 30_000;

/**
 * Returns a function that describes until when a key may be used. Whichever clock makes the key older decides: the
 * machine's, the steady one since the start of the process, or the service's. Call this at the start: setting the
 * machine's clock back later then cannot make keys look younger.
 */
export function createRetryWindows(clock: Clock): (life: KeyLife) => RetryWindow {
  const [openedAt, opened] = [clock.now(), clock.steady()];
  const steadyAge = ({ claimedAt, claimedSteady = opened + claimedAt - openedAt }: KeyLife) =>
    clock.steady() - claimedSteady;
  return (life) => ({
    claimedAt: life.claimedAt,
    remaining() {
      const { claimedAt, serviceTime, keyTtl, serviceClock } = life;
      const age = Math.max(clock.now() - claimedAt, steadyAge(life));
      // A key claimed in the future, or before the service's clock was set back, has an unknown age.
      if (claimedAt > clock.now() || (serviceTime !== undefined && age >= serviceClock.sinceSetBack())) return 0;
      const ageAtService = serviceTime === undefined ? 0 : (serviceClock.now() ?? serviceTime) - serviceTime;
      return Math.floor(keyTtl - margin - Math.max(age, ageAtService));
    },
  });
}
