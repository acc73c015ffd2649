/** The SHA-256 of a result's files. It is computed at once for small files, and for others when the user asks for it. */
import { button, copyFrom, fill, h, setText } from '../page/dom.js';
import { t, type LiveText } from '../language/texts.js';
import { bytesText } from '../page/text.js';
import { loadHash } from './parts.js';
import { steps } from './steps.js';
import type { Download } from '../save/out-file.js';

/** The most bytes that are hashed in less than a second. */
const AT_ONCE = 64 << 20;

const known = new WeakMap<Download, Promise<string>>();

/** The digest, if it is known, or will be soon. A file that cannot be read has none. */
export function digestOf(download: Download): Promise<string | undefined> {
  return known.get(download)?.catch(() => undefined) ?? Promise.resolve(undefined);
}

export function digestList(downloads: readonly Download[]): HTMLElement {
  return h('ul', { class: 'digests', 'aria-label': 'SHA-256' }, ...downloads.map(row));
}

function row(download: Download): HTMLElement {
  const { name, size } = download;
  const shown = h('div', { class: 'digest' });
  const compute = async () => {
    const control = new AbortController();
    const { element, at } = steps(t('SHA-256 of {name}', { name }), () => control.abort());
    const work = loadHash().then(({ sha256Of }) =>
      sha256Of(download.content, { signal: control.signal, onBytes: (bytes) => at(bytes / size, t('{done} of {total}', { done: bytesText(bytes), total: bytesText(size) })) }));
    known.set(download, work);
    if (size > AT_ONCE) replace(shown, element);
    try {
      const code = h('code', {}, await work);
      replace(shown, code, named(button(t('Copy'), 'quiet', (pressed) => void copyFrom(code, pressed)), t('Copy the SHA-256 of {name}', { name })));
    } catch {
      known.delete(download);
      ask(control.signal.aborted ? undefined : t('The file cannot be read any more: convert the model again.'));
    }
  };
  const ask = (why?: LiveText) =>
    replace(shown, named(button(t('Compute'), 'quiet', () => void compute()), t('Compute the SHA-256 of {name}', { name })), why && h('span', { role: 'alert' }, why));
  if (size > AT_ONCE) ask();
  else void compute();
  return h('li', {}, h('span', { class: 'digest-name' }, name), shown);
}

/** Several buttons have the same label. */
function named(element: HTMLButtonElement, name: LiveText): HTMLButtonElement {
  setText(element, 'title', name);
  setText(element, 'aria-label', name);
  return element;
}

/** The keyboard's focus stays where it was. */
function replace(element: HTMLElement, ...children: Parameters<typeof fill>[1][]): void {
  const focused = element.contains(document.activeElement);
  fill(element, ...children);
  if (focused) element.querySelector('button')?.focus();
}
