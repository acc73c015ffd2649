/** The section that is shown while an archive is opened, if that takes long. */
import { byId, button, fill, h } from '../page/dom.js';
import { countText, t } from '../language/texts.js';
import { bytesText } from '../page/text.js';

/** Milliseconds. An archive is open sooner if only its directory is read. */
const NOTICED = 200;

export class Opening {
  readonly #section = byId('opening');
  readonly #bar = h('progress', { max: '1', 'aria-labelledby': 'opening-title' });
  readonly #bytes = h('dd', {}, '–');
  readonly #ended = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;

  /** `cancel` has to lead to a call of end(). */
  constructor(name: string, cancel: () => void) {
    fill(
      this.#section,
      h('p', { class: 'overline' }, t('Opening')),
      h('h1', { id: 'opening-title', class: 'file-title', tabindex: '-1' }, name),
      this.#bar,
      h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, t('Read')), this.#bytes)),
      h('div', { class: 'actions' }, button(t('Cancel'), '', cancel)),
    );
    addEventListener('keydown', ({ key }) => key === 'Escape' && cancel(), { signal: this.#ended.signal });
    this.#timer = setTimeout(() => {
      this.#section.hidden = false;
      byId('opening-title').focus();
    }, NOTICED);
  }

  show(bytes: number, totalBytes: number): void {
    this.#bar.value = bytes / totalBytes;
    fill(this.#bytes, t('{done} of {total}', { done: bytesText(bytes), total: bytesText(totalBytes) }));
  }

  found(count: number): void {
    fill(this.#bytes, countText(count, 'file'));
  }

  end(): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
    this.#section.hidden = true;
  }
}
