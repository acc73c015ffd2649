/** Asks which of the models in a folder or archive are meant. */
import { sizeOf, type Chosen } from './chosen.js';
import { byId, button, fill, h } from '../page/dom.js';
import { openLayer } from '../page/history.js';
import { numberText, plural, t } from '../language/texts.js';
import type { Taken } from './taken.js';
import { bytesText } from '../page/text.js';

/** A page with more rows does not answer. */
const MOST_SHOWN = 200;

/**
 * Returns what came, with only the models that the user wants; undefined if the user cancels, or `signal` is aborted. It asks only if several
 * models came in one folder.
 */
export async function askWhich(came: Taken, signal: AbortSignal): Promise<Taken | undefined> {
  if (!isQuestion(came.models)) return came;
  const wanted = await ask(came.models.slice(0, MOST_SHOWN), came.models.length, signal);
  return wanted && { ...came, models: [...wanted], roles: rolesFor(came, wanted) };
}

/** Whether two models came in one folder. Models that were brought side by side were chosen one by one. */
function isQuestion(models: readonly Chosen[]): boolean {
  const folders = new Set<string>();
  for (const { main: { path } } of models) {
    if (!path.includes('/')) continue;
    const folder = path.slice(0, path.indexOf('/'));
    if (folders.has(folder)) return true;
    folders.add(folder);
  }
  return false;
}

function rolesFor({ models, roles }: Taken, wanted: readonly Chosen[]): Taken['roles'] {
  const chosen = new Set(wanted);
  const others = models.filter((model) => !chosen.has(model));
  const unwanted = new Set(others.flatMap(({ main, side }) => ('file' in main ? [main] : side)));
  return new Map(Array.from(roles, ([file, role]) => [file, unwanted.has(file) ? 'unwanted' : role]));
}

/** `found`: how many there are. Those that are not shown are left out. */
function ask(models: readonly Chosen[], found: number, signal: AbortSignal): Promise<readonly Chosen[] | undefined> {
  let answer: ((models: readonly Chosen[] | undefined) => void) | undefined;
  const section = byId('question');
  const boxes = models.map(() => h('input', { type: 'checkbox' }));
  const go = h('button', { type: 'submit', class: 'button primary' });
  const turn = button('', 'quiet', () => {
    const on = ticked().length === 0;
    for (const box of boxes) box.checked = on;
    refresh();
  });
  const ticked = () => models.filter((_, index) => boxes[index]!.checked);
  const refresh = () => {
    const count = ticked().length;
    fill(go, count === 0 ? t('Convert') : plural(count, 'Convert {n} model', 'Convert {n} models'));
    go.disabled = count === 0;
    fill(turn, count === 0 ? t('Tick all') : t('Tick none'));
  };
  const form = h('form', { 'aria-labelledby': 'question-title' },
    h('p', { class: 'overline' }, plural(found, '{n} model found', '{n} models found')),
    h('h1', { id: 'question-title', class: 'file-title', tabindex: '-1' }, t('Which of them?')),
    h('ul', { class: 'choices' }, ...models.map((model, index) =>
      h('li', {}, h('label', {}, boxes[index]!, h('span', {}, model.main.path), h('small', {}, bytesText(sizeOf(model))))))),
    found > models.length && h('p', { class: 'hint' }, t('These are the first {n}. For others, drop a folder or an archive with fewer.', { n: numberText(models.length) })),
    h('div', { class: 'actions' }, go, turn, button(t('Cancel'), 'quiet', () => answer?.(undefined))));
  for (const box of boxes) box.checked = true;
  fill(section, form);
  refresh();
  section.hidden = false;
  byId('question-title').focus();
  const closed = openLayer(() => answer?.(undefined));
  signal.addEventListener('abort', () => answer?.(undefined));
  return new Promise((resolve) => {
    answer = (wanted) => {
      answer = undefined;
      section.hidden = true;
      closed();
      resolve(wanted);
    };
    form.addEventListener('change', refresh);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer?.(ticked());
    });
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // Escape is not meant for the conversion that may be under way.
      event.stopPropagation();
      answer?.(undefined);
    });
  });
}
