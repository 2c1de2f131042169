import { join } from 'node:path';
import { bombadil } from './bombadil.ts';
import { groundFor } from './ground.ts';
import { plants } from './plants.ts';

/** After how many actions a plant should have been found. */
const most = 600;
/** How often it is begun, if Bombadil stands still. */
const mostTimes = 3;

/**
 * Plants each fault in turn and explores until its property is broken. Returns the names of those that were not found.
 */
export async function selfTest(
  chromium: string,
  folder: string,
  only: string,
  say: (line: string) => void,
): Promise<string[]> {
  const ground = await groundFor('partlyFailed');
  const unfound: string[] = [];
  try {
    for (const [name, plant] of Object.entries(plants).filter(([each]) => each.includes(only))) {
      ground.through.plant(plant);
      let [actions, found] = [0, false];
      const explore = () =>
        bombadil({
          url: ground.through.url + plant.at,
          folder: join(folder, name.replaceAll(' ', '-')),
          chromium,
          replays: null,
          reached({ action, violations = [] }) {
            if (action !== null) actions += 1;
            found ||= violations.some(({ name: broken }) => broken === plant.property);
            return Promise.resolve(found || actions >= most);
          },
        });
      for (let begun = 0; begun < mostTimes; begun += 1) if ((await explore()) !== 'still') break;
      say(`${found ? 'found    ' : 'NOT FOUND'} ${name}: ${plant.property}, after ${actions} actions`);
      if (!found) unfound.push(name);
    }
  } finally {
    await ground.close();
  }
  return unfound;
}
