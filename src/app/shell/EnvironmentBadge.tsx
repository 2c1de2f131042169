import { Link } from 'react-router-dom';
import { Chip } from '#ui/Badge.tsx';

/** The badge of the sandbox, which leads to its controls. */
export const SandboxBadge = () => (
  <Chip asChild tone="next" textDecoration="none" minHeight="6" alignItems="center">
    <Link to="/sandbox" title="Open the fault lab">
      <span aria-hidden="true">●</span> Sandbox
    </Link>
  </Chip>
);

/** The badge of the live environment. */
export const LiveBadge = () => (
  <Chip asChild tone="live">
    <strong>
      <span aria-hidden="true">●</span> Live: real payments
    </strong>
  </Chip>
);
