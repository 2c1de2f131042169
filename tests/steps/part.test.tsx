// @vitest-environment jsdom
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { part } from '#steps/kit/part.tsx';

/** Draws without `act`, which leaves no time between drawing and its effects. */
function draw(page: React.ReactNode): HTMLElement {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const place = document.createElement('div');
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    vi.unstubAllGlobals();
  });
  root.render(page);
  return place;
}

it.each(['before it is drawn', 'between its drawing and its effects', 'later'])(
  'a part whose code arrives %s is drawn',
  async (when) => {
    let arrive = () => {};
    const code = new Promise<() => string>((resolve) => (arrive = () => resolve(() => 'drawn')));
    const Part = part(() => code);
    // Another one begins to load it.
    const first = draw(<Part />);
    if (when === 'before it is drawn') {
      arrive();
      await vi.waitFor(() => expect(first.textContent).toBe('drawn'));
    }
    function Beside() {
      useLayoutEffect(() => void (when === 'between its drawing and its effects' && arrive()));
      return null;
    }
    const place = draw([<Part key="part" />, <Beside key="beside" />]);
    if (when === 'later') setTimeout(arrive, 20);
    await vi.waitFor(() => expect(place.textContent).toBe('drawn'));
  },
);
