import { areSaved } from '../save/files.js';
import type { Task } from './task.js';

/** Has the browser ask whether the page may go while a model is converted or a result is not saved. */
export function askBeforeLeaving(tasks: () => readonly Task[]): void {
  addEventListener('beforeunload', (event) => {
    if (tasks().some(({ busy, done }) => busy || (done && !areSaved(done.downloads)))) event.preventDefault();
  });
}
