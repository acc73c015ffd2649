/** Opens the view of a result's graph. */
import { button, fill, h } from '../page/dom.js';
import { t } from '../language/texts.js';
import { openLayer } from '../page/history.js';
import { messageList } from '../report/messages.js';
import { lookOf } from '../card/look.js';
import { baseName, type Chosen } from '../bring/chosen.js';
import { graphOf, type Verdict } from '../ir/verdict.js';
import { IrGraphView, type Spot } from './ir-view.js';
import { convertAndReopen } from './reopen.js';
import { messagesOf, partOf, type Done, type Step, type Task } from '../convert/task.js';
import { traceOf } from '../result/trace.js';
import { GraphView, type LayoutPage } from './view.js';
import { Layouts } from './workers.js';

/** The result of a model whose layouts were changed in the view, with the names of its Transposes. */
const former = new WeakMap<Chosen, { readonly done: Done; readonly transposes: readonly string[] }>();

export function openGraph(task: Task): void {
  const { content, signal, close } = openDialog(task.name);
  void show(task, content, signal, close);
}

/** The graph of an IR that is looked at; with `at`, the place of one of its messages, that node is selected. */
export function openIrGraph(ir: Chosen, verdict: Verdict, at?: Spot): void {
  const { content, signal } = openDialog(baseName(ir.main.path));
  void showIr(ir, verdict, at, content, signal);
}

/** A dialog over the page; `signal` is aborted when it is closed. */
function openDialog(title: string): { content: HTMLElement; signal: AbortSignal; close: () => void } {
  performance.mark('mo-graph-open');
  const control = new AbortController();
  const content = h('div', { class: 'graph-content' });
  const dialog = h('dialog', { class: 'graph', 'aria-labelledby': 'graph-title' },
    h('div', { class: 'graph-head' }, h('h1', { id: 'graph-title' }, title), button(t('Close'), 'quiet', () => dialog.close())),
    content);
  const closed = openLayer(() => dialog.close());
  dialog.addEventListener('close', () => {
    closed();
    control.abort();
    dialog.remove();
  });
  // What is dropped here is for the page.
  dialog.addEventListener('drop', () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return { content, signal: control.signal, close: () => dialog.close() };
}

async function showIr(ir: Chosen, verdict: Verdict, at: Spot | undefined, content: HTMLElement, signal: AbortSignal): Promise<void> {
  fill(content, h('div', { class: 'graph-waiting' }, h('p', { role: 'status' }, t('The IR is read once more, for its graph.'))));
  try {
    const layouts = new Layouts(signal);
    const graph = await graphOf(ir, signal);
    if (signal.aborted) return;
    performance.mark('mo-graph-traced');
    fill(content, new IrGraphView(graph, verdict.messages, layouts, signal, at).element);
    if (at) content.querySelector<HTMLElement>('#graph-details-title')?.focus();
  } catch (error) {
    if (!signal.aborted) fill(content, h('div', { class: 'graph-waiting' }, messageList(messagesOf(error))));
  }
}

async function show(task: Task, content: HTMLElement, signal: AbortSignal, close: () => void): Promise<void> {
  const bar = h('progress', { max: '1', 'aria-label': t('Progress') });
  const text = h('p', { role: 'status' }, t('The model is converted once more to record what each step does.'));
  fill(content, h('div', { class: 'graph-waiting' }, text, bar));
  const onStep = (step: Step) => {
    const part = partOf(step);
    if (part !== undefined) bar.value = part;
  };
  try {
    // The workers start while the model is converted.
    const layouts = { source: new Layouts(signal), result: new Layouts(signal) };
    const { trace } = await traceOf(task.done!, { signal, onStep });
    if (signal.aborted) return;
    performance.mark('mo-graph-traced');
    const layout = layoutPage(task, signal, close);
    fill(content, new GraphView(trace, task.done!, layouts, signal, layout).element);
    if (layout.before) content.querySelector<HTMLElement>('#graph-layout-title')?.focus();
  } catch (error) {
    if (!signal.aborted) fill(content, h('div', { class: 'graph-waiting' }, messageList(messagesOf(error))));
  }
}

function layoutPage({ chosen, done, isQuick }: Task, signal: AbortSignal, close: () => void): LayoutPage {
  const look = lookOf({ chosen });
  const before = former.get(chosen);
  return {
    converted: () => ({ report: done!.report, options: done!.options, own: look.own, isQuick }),
    onNews: (show) => look.news.addEventListener('news', show, { signal }),
    before: before?.done === done ? undefined : before?.transposes,
    convert: (transposes) => {
      former.set(chosen, { done: done!, transposes });
      close();
      convertAndReopen(chosen);
    },
  };
}
