/** Asks which of the models in a folder or archive are meant. */
import { sizeOf, type Chosen } from './chosen.js';
import { byId, button, fill, h } from './dom.js';
import { plural, t } from './language/texts.js';
import type { Taken } from './taken.js';
import { bytesText } from './text.js';

let answer: ((models: readonly Chosen[] | undefined) => void) | undefined;

/** Closes the question. The caller that waits for an answer gets undefined. */
export function closeQuestion(): void {
  answer?.(undefined);
}

/**
 * Returns what came, with only the models that the user wants; undefined if the user cancels. It asks only if several models came in one
 * folder.
 */
export async function askWhich(came: Taken): Promise<Taken | undefined> {
  if (!isQuestion(came.models)) return came;
  const wanted = await ask(came.models);
  return wanted && { ...came, models: [...wanted], roles: rolesFor(came, wanted) };
}

/** Whether two models came in one folder. Models that were brought side by side were chosen one by one. */
function isQuestion(models: readonly Chosen[]): boolean {
  const folders = models.map(({ main }) => main.path).filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/')));
  return new Set(folders).size < folders.length;
}

function rolesFor({ models, roles }: Taken, wanted: readonly Chosen[]): Taken['roles'] {
  const others = models.filter((model) => !wanted.includes(model));
  const unwanted = new Set(others.flatMap(({ main, side }) => ('file' in main ? [main] : side)));
  return new Map(Array.from(roles, ([file, role]) => [file, unwanted.has(file) ? 'unwanted' : role]));
}

function ask(models: readonly Chosen[]): Promise<readonly Chosen[] | undefined> {
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
    h('p', { class: 'overline' }, plural(models.length, '{n} model found', '{n} models found')),
    h('h1', { id: 'question-title', class: 'file-title', tabindex: '-1' }, t('Which of them?')),
    h('ul', { class: 'choices' }, ...models.map((model, index) =>
      h('li', {}, h('label', {}, boxes[index]!, h('span', {}, model.main.path), h('small', {}, bytesText(sizeOf(model))))))),
    h('div', { class: 'actions' }, go, turn, button(t('Cancel'), 'quiet', () => answer?.(undefined))));
  for (const box of boxes) box.checked = true;
  fill(section, form);
  refresh();
  section.hidden = false;
  byId('question-title').focus();
  return new Promise((resolve) => {
    answer = (wanted) => {
      answer = undefined;
      section.hidden = true;
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
