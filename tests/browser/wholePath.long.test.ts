import { describe, expect, it } from 'vitest';
import { mouse } from './guidedSteps.ts';
import { keyboard } from './keyboard.ts';
import { sharedConsole } from './shared.ts';
import { testWholePath } from './wholePath.ts';

describe('by mouse', () => {
  testWholePath(sharedConsole(undefined, 'all'), () => mouse);
});

describe('by keyboard alone', () => {
  let hands: ReturnType<typeof keyboard>;
  testWholePath(sharedConsole(undefined, 'all'), (page) => (hands = keyboard(page)));

  it('the focus is visible on the whole guided path (behaviour 10.10.1)', () => {
    expect([...hands.wrong]).toEqual([]);
  });
});
