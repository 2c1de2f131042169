import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SituationId } from '../../src/runner/situations.ts';
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
  const ground = await groundFor(kept.situation);
  const lab = faultsOf(ground.lab, kept.seed, faults);
  const until = Date.now() + minutes * 60_000;
  const before = tally.actions();
  const ofRun = () => tally.actions() - before;
  const isOver = () => ofRun() >= most || Date.now() >= until;
  try {
    for (let part = 1; !isOver(); part += 1) {
      const own = join(folder, String(part));
      await mkdir(own, { recursive: true });
      await writeFile(join(own, 'run.json'), JSON.stringify(kept));
      const end = await bombadil({
        ...run,
        url: ground.through.url,
        folder: own,
        async reached(step) {
          tally.add(step, own);
          if (kept.faults) await lab(ofRun());
          return isOver();
        },
      });
      tally.ended(end);
      for (const each of tally.broken()) if (each.folder === own) each.said = await saidOf(own, each.property);
      if (end !== 'still' || run.replays !== null) break;
    }
  } finally {
    await ground.close();
  }
}
