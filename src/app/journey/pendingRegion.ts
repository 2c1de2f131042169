import { lazyRoute } from '../frame/lazyRoute.tsx';

/** The region of payments whose outcome is unknown, in a chunk of its own: few pages have any. */
export const PendingRegion = lazyRoute(
  async () => (await import('./PendingPayments.tsx')).PendingPayments,
  () => null,
);
