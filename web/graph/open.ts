/** Opens the view of a result's graph. */
import { button, fill, h } from '../dom.js';
import { messageList } from '../messages.js';
import { messagesOf, partOf, type Step, type Task } from '../task.js';
import { traceOf } from '../trace.js';
import { GraphView } from './view.js';
import { Layouts } from './workers.js';

export function openGraph(task: Task): void {
  performance.mark('mo-graph-open');
  const control = new AbortController();
  const content = h('div', { class: 'graph-content' });
  const dialog = h('dialog', { class: 'graph', 'aria-labelledby': 'graph-title' },
    h('div', { class: 'graph-head' }, h('h1', { id: 'graph-title' }, task.name), button('Close', 'quiet', () => dialog.close())),
    content);
  dialog.addEventListener('close', () => {
    control.abort();
    dialog.remove();
  });
  // What is dropped here is for the page.
  dialog.addEventListener('drop', () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  void show(task, content, control.signal);
}

async function show(task: Task, content: HTMLElement, signal: AbortSignal): Promise<void> {
  const bar = h('progress', { max: '1', 'aria-label': 'Progress' });
  const text = h('p', { role: 'status' }, 'The model is converted once more, to see what each step does.');
  fill(content, h('div', { class: 'graph-waiting' }, text, bar));
  const onStep = (step: Step) => {
    const part = partOf(step);
    if (part !== undefined) bar.value = part;
  };
  try {
    // They start while the model is converted.
    const layouts = { source: new Layouts(signal), result: new Layouts(signal) };
    const { trace } = await traceOf(task.done!, { signal, onStep });
    if (signal.aborted) return;
    performance.mark('mo-graph-traced');
    fill(content, new GraphView(trace, task.done!, layouts, signal).element);
  } catch (error) {
    if (!signal.aborted) fill(content, h('div', { class: 'graph-waiting' }, messageList(messagesOf(error))));
  }
}
