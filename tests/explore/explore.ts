import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SituationId } from '#walk/situations.ts';
import { bombadil, saidOf } from './bombadil.ts';
import { faultsOf } from './faults.ts';
import { groundFor } from './ground.ts';
import type { Tally } from './trace.ts';

/** What a run depends on, besides what Bombadil does; kept beside its trace. */
export interface Kept {
  situation: SituationId;
  seed: number;
  faults: boolean;
}

/** Explores a console of its own in a situation, and counts what is seen in `tally` and what goes wrong in `faults`. */
export async function explore(run: {
  kept: Kept;
  folder: string;
  chromium: string;
  /** The most actions and minutes. */
  most: number;
  minutes: number;
  replays: string | null;
  tally: Tally;
  faults: Map<string, number>;
}): Promise<void> {
  const { kept, folder, tally, faults, most, minutes } = run;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'run.json'), JSON.stringify(kept));
  const ground = await groundFor(kept.situation);
  const lab = faultsOf(ground.lab, kept.seed, faults);
  const until = Date.now() + minutes * 60_000;
  const before = tally.actions();
  try {
    await bombadil({
      ...run,
      url: ground.through.url,
      async reached(step) {
        tally.add(step, folder);
        const actions = tally.actions() - before;
        if (kept.faults) await lab(actions);
        return actions >= most || Date.now() >= until;
      },
    });
  } finally {
    await ground.close();
  }
  for (const each of tally.broken()) if (each.folder === folder) each.said = await saidOf(folder, each.property);
}
