import { labNews } from '#contract/lab.ts';
import { tell } from './news.ts';

/** Tells this page's own readers of the lab, who may have no stream of news. */
export async function told<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } finally {
    tell(labNews);
  }
}
