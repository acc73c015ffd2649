/** The button that opens the graph view, which is a separate part of the page. */
import { button, fill } from '../page/dom.js';
import { t } from '../language/texts.js';
import { takeReopening } from './reopen.js';
import type { Task } from '../convert/task.js';

/** The graph view is loaded ahead, because the page makes no requests later. It does not run before it is opened. */
export const loadGraph = () => import('./open.js');

export function graphButton(task: Task): HTMLButtonElement {
  const view = button(t('View graph'), '', (pressed) => void open(task, pressed));
  // The page turns to the result first.
  if (takeReopening(task.chosen)) setTimeout(() => void open(task, view));
  return view;
}

async function open(task: Task, pressed: HTMLButtonElement): Promise<void> {
  try {
    (await loadGraph()).openGraph(task);
  } catch {
    fill(pressed, t('The graph view cannot be loaded. Load the page again.'));
  }
}
