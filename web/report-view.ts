import type { Message } from '@mo/wasm';

import { byId, copyFrom, h } from './dom.js';
import { loadHelp } from './help.js';
import { givenIn } from './options.js';
import { reportOf, type Failure, type Product } from './report.js';

/** A report of a failure, to be read before it is sent. It is written when it is wanted, with the options of the failure. */
export class ReportView {
  readonly #text = h('pre', { id: 'report', tabindex: '0', 'aria-label': 'Report' });
  readonly element = h('details', { class: 'more report' },
    h('summary', {}, 'What the report says'),
    h('p', { class: 'hint' }, 'Names of nodes, tensors and files are replaced, and no weights are in it. It stays on this machine until you send it.'),
    this.#text);
  readonly #failure: Failure;

  constructor(file: string, messages: readonly Message[]) {
    const extensions = document.querySelectorAll('#extensions .modules li').length;
    this.#failure = { file, messages, options: givenIn(byId<HTMLFormElement>('options')), extensions };
    this.element.addEventListener('toggle', () => this.element.open && void this.#write());
  }

  /** Shows the report, too, so that the user sees what was copied, or can select it. */
  async copy(pressed: HTMLButtonElement): Promise<void> {
    await this.#write();
    this.element.open = true;
    await copyFrom(this.#text, pressed);
  }

  async #write(): Promise<void> {
    try {
      this.#text.textContent = reportOf(this.#failure, await product(), navigator.userAgent);
    } catch {
      this.#text.textContent = 'A part of the page cannot be loaded. Load the page again.';
    }
  }
}

async function product(): Promise<Product> {
  const { VERSION, PAGES } = await loadHelp();
  const pages = Object.entries(PAGES);
  const titles = Object.fromEntries(pages.map(([code, { title }]) => [code, title]));
  return { version: VERSION, titles, words: pages.map(([, { title, html }]) => `${title} ${proseOf(html)}`).join(' ') };
}

/** The text without examples and commands, in which there are names. */
function proseOf(html: string): string {
  return html.replaceAll(/<pre.*?<\/pre>|<code>.*?<\/code>|<[^>]*>/gs, ' ');
}
