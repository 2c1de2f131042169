import { useCallback, useState } from 'react';
import { Menu, MenuHint, MenuItem } from '#ui/Menu.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { sandboxControls } from './sandboxControls.ts';
import { OpenSituation, SandboxControls } from '../routes.ts';
import { NavLink } from 'react-router-dom';
import { tools } from './pages.ts';

/** The pages for work at all journeys, by name; `sandbox`: also those that only the sandbox has. */
export const Tools = ({ sandbox }: { sandbox: boolean }) => (
  <Menu
    label="Tools"
    variant="ghost"
    list
    items={(back) =>
      tools
        .filter((tool) => sandbox || !tool.sandbox)
        .map(({ path, title }) => (
          <li key={path}>
            <MenuItem asChild>
              <NavLink to={path} onClick={back}>
                {title}
              </NavLink>
            </MenuItem>
          </li>
        ))
    }
  />
);

/** The badge of the sandbox, which discloses its controls. */
export function SandboxMenu() {
  const [opens, setOpens] = useState(false);
  const close = useCallback(() => setOpens(false), []);
  return (
    <>
      <Menu
        label="Sandbox"
        tone="next"
        items={(back) => (
          <ErrorBoundary shows="controls" heading="h3">
            <SandboxControls
              onChoose={back}
              onOpenSituation={() => {
                back();
                setOpens(true);
              }}
            />
          </ErrorBoundary>
        )}
      />
      {opens && (
        <ErrorBoundary shows="situation" heading="h3">
          <OpenSituation onClose={close} />
        </ErrorBoundary>
      )}
    </>
  );
}

/** The badge of the live environment, which discloses what it has not, and why. */
export const LiveMenu = () => (
  <Menu
    label="Live: real payments"
    tone="live"
    items={() =>
      Object.values(sandboxControls).map(({ title, live }) => (
        <MenuItem key={title} type="button" aria-disabled>
          {title}
          <MenuHint>{live}</MenuHint>
        </MenuItem>
      ))
    }
  />
);
