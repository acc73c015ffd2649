/** Finds the models to convert among the files that the user brings: opens archives, and asks which models are meant. */
import { isArchive, isOtherArchive, mayBeArchive } from '../archive/names.js';
import type { Brought } from './brought.js';
import { Opening } from './opening.js';
import { takeFor, type Taken } from './taken.js';

/** Loaded ahead, because the page makes no requests later. */
export const loadArchives = () => import('../archive/open.js');
export const loadQuestion = () => import('./question.js');

let current: AbortController | undefined;

/** Returns what the files are used as; undefined if the user wants none of the models, or has brought other files meanwhile. */
export async function receive(brought: Brought, mends: boolean): Promise<Taken | undefined> {
  current?.abort();
  const { signal } = (current = new AbortController());
  try {
    const came = await takeFor(await opened(brought, current), mends);
    if (signal.aborted) return undefined;
    return came.models.length > 1 ? await (await loadQuestion()).askWhich(came, signal) : came;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function opened(brought: Brought, control: AbortController): Promise<Brought> {
  const archives = brought.files.filter(({ path }) => isArchive(path) || isOtherArchive(path) || mayBeArchive(path));
  if (archives.length === 0) return brought;
  const opening = new Opening(archives.map(({ path }) => path).join(', '), () => control.abort());
  control.signal.addEventListener('abort', () => opening.end());
  try {
    const { openArchives } = await loadArchives();
    return await openArchives(brought, { signal: control.signal, onBytes: (bytes, total) => opening.show(bytes, total), onFound: (count) => opening.found(count) });
  } finally {
    opening.end();
  }
}
