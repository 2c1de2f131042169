import { z } from 'zod';
import { data, filled, text } from './shape.ts';

export const framingShapes = {
  /**
   * Whether a page can be shown in a frame of the console. `refusal`: what speaks against it, '' if nothing is known;
   * `certain`: a browser will refuse it.
   */
  getFraming: {
    query: z.object({ link: filled }),
    answer: data(z.object({ refusal: text, certain: z.boolean() })),
  },
};
