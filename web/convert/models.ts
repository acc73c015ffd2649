import { byId, button, fill, h, setText } from '../page/dom.js';
import { wholeText } from '../language/messages.js';
import { countText, t, type LiveText } from '../language/texts.js';
import { saveBar } from '../save/bar.js';
import { filesOfAll, markSaved } from '../save/files.js';
import type { Task } from './task.js';
import { bytesText, extensionOf } from '../page/text.js';
import type { Download } from '../save/out-file.js';

const STATES: Record<Task['state'], LiveText> = {
  ready: t('Ready'), waiting: t('Waiting'), working: t('Converting'), done: t('Converted'), failed: t('Not converted'), cancelled: t('Cancelled'),
};

/** What a row can ask for. */
export interface ModelActions {
  select(task: Task): void;
  cancel(task: Task): void;
}

/** Lists several models: how each stands, and its files to save. A single one needs no list. */
export class ModelList {
  readonly #title = h('h2', {});
  readonly #list = h('ol', {});
  readonly #cancelAll = button(t('Cancel all'), 'quiet', () => this.#busy().forEach(this.actions.cancel));
  #tasks: readonly Task[] = [];
  readonly #save = saveBar(() => filesOfAll(this.#tasks), { folder: t('Save all to a folder…'), archive: (ending) => t('Save all as {ending}', { ending }), name: 'models', look: '' });
  /** What each row shows. A row is replaced only if that changes: a new one would lose the keyboard's focus, and a click that has begun. */
  readonly #looks = new Map<Task, string>();

  constructor(private readonly actions: ModelActions) {
    byId('models').append(h('div', { class: 'models-head' }, this.#title, this.#cancelAll), this.#list, this.#save.element);
  }

  /** `isStale`: whether a result is one of other options. */
  show(tasks: readonly Task[], shown: Task | undefined, isStale: (task: Task) => boolean): void {
    byId('models').hidden = tasks.length < 2;
    if (tasks !== this.#tasks) {
      this.#tasks = tasks;
      this.#looks.clear();
      fill(this.#title, countText(tasks.length, 'model'));
      fill(this.#list, ...tasks.map(() => h('li')));
    }
    tasks.forEach((task, index) => this.#draw(task, index, task === shown, isStale(task)));
    this.#cancelAll.hidden = this.#busy().length < 2;
    this.#save.element.hidden = this.#busy().length > 0 || !tasks.some(({ done }) => done) || tasks.some(isStale);
    this.#save.refresh();
  }

  #draw(task: Task, index: number, shown: boolean, stale: boolean): void {
    const look = `${task.state} ${shown} ${stale}`;
    if (this.#looks.get(task) === look) return;
    this.#looks.set(task, look);
    const old = this.#list.children[index]!;
    const next = row(task, shown, stale, this.actions);
    const focused = old.contains(document.activeElement);
    old.replaceWith(next);
    if (focused) next.querySelector<HTMLElement>('button:enabled')?.focus();
  }

  #busy(): Task[] {
    return this.#tasks.filter(({ busy }) => busy);
  }
}

function row(task: Task, shown: boolean, stale: boolean, { select, cancel }: ModelActions): HTMLElement {
  const name = button(task.place, 'link', () => select(task));
  name.disabled = task.state === 'waiting' || task.state === 'cancelled';
  if (shown) name.setAttribute('aria-current', 'true');
  const [error] = task.messages.filter(({ severity }) => severity === 'error');
  return h('li', { class: task.state },
    name,
    h('span', { class: 'model-state' }, error ? t('{state}: {message}', { state: STATES[task.state], message: t('{code} {text}', { code: error.code, text: wholeText(error) }) }) : stale ? t('Made with other options') : STATES[task.state]),
    ...(stale ? [] : (task.done?.downloads ?? []).map(download)),
    task.busy && cancelButton(task, cancel));
}

function download(download: Download): HTMLElement {
  const { name, size, url } = download;
  const label = t('Save {name}, {size}', { name, size: bytesText(size) });
  const link = h('a', { class: 'button quiet', href: url, download: name, 'aria-label': label }, extensionOf(name));
  link.addEventListener('click', () => markSaved([download]));
  return link;
}

function cancelButton(task: Task, cancel: (task: Task) => void): HTMLElement {
  const element = button(t('Cancel'), 'quiet', () => cancel(task));
  setText(element, 'aria-label', t('Cancel {name}', { name: task.place }));
  return element;
}
