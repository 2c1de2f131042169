import { Link } from 'react-router-dom';
import { clockWords, isOpen } from '#rules/lab.ts';
import { counted } from '#rules/counted.ts';
import { MenuHint, MenuItem } from '#ui/Menu.tsx';
import { sandboxControls as controls } from '#app/frame/sandboxControls.ts';
import { SaveSituation } from './SaveSituation.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';

/** The entries of the sandbox's menu, with how faults and clock stand; a choice closes it. */
export function SandboxControls(props: { onChoose: () => void; onOpenSituation: () => void }) {
  const { onChoose, onOpenSituation } = props;
  const { known } = useResource(lab);
  const faults = known?.rules.filter(isOpen).length ?? 0;
  const link = ({ title, to }: { title: string; to: string }, hint = '') => (
    <MenuItem asChild>
      <Link to={to} onClick={onChoose}>
        {title}
        {hint && <MenuHint>{hint}</MenuHint>}
      </Link>
    </MenuItem>
  );
  return (
    <>
      {link(controls.lab, faults > 0 ? `${counted(faults, 'fault')} set` : '')}
      {link(controls.clock, known ? clockWords(known.clock) : '')}
      {link(controls.startFrom)}
      <MenuItem asChild>
        <SaveSituation onClick={onChoose}>
          {controls.save.title}
          <MenuHint>Downloads sandbox, companies and this step</MenuHint>
        </SaveSituation>
      </MenuItem>
      <MenuItem type="button" onClick={onOpenSituation}>
        {controls.open.title} …<MenuHint>Replaces sandbox and companies</MenuHint>
      </MenuItem>
      {link(controls.empty)}
    </>
  );
}
