import { NavLink } from 'react-router-dom';
import { Menu, MenuItem } from '#ui/Menu.tsx';
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
