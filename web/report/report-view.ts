import type { Message } from '@mo/wasm';

import type { Anonymous } from './anonymous.js';
import { withModel } from '../archive/ready.js';
import type { Chosen } from '../bring/chosen.js';
import { byId, copyFrom, fill, h } from '../page/dom.js';
import { loadHelp } from './help.js';
import { safeText } from '../language/shown.js';
import { t } from '../language/texts.js';
import { givenIn } from '../options/options.js';
import { namesFor, reportOf, type Failure, type Product } from './report.js';
import { skeletonMaker } from '../skeleton/formats.js';
import { offerSkeleton } from '../skeleton/offer.js';
import type { Failed, SkeletonMaker } from '../skeleton/types.js';
import { messagesOf } from '../convert/task.js';
import { EmptyFile, HostReadFailed, KerasFile, NoSuchModel, OtherFormat, UnknownFormat } from './codes.js';

/** With these errors the file's structure is unknown, so no skeleton can be made. */
const NO_STRUCTURE = [EmptyFile, UnknownFormat, OtherFormat, KerasFile, NoSuchModel, HostReadFailed];

const LOST = t('A part of the page cannot be loaded. Load the page again.');

/** A report of a failure, to be read before it is sent. It is written when it is wanted, with the options of the failure. */
export class ReportView {
  readonly #text = h('pre', { id: 'report', tabindex: '0', 'aria-label': t('Report'), lang: 'en' });
  readonly element = h('details', { class: 'more report' },
    h('summary', {}, t('What the report says')),
    h('p', { class: 'hint' }, t('Names of nodes, tensors and files are replaced, and no weights are in it. It stays on this machine until you send it.')),
    this.#text);
  readonly #failure: Failure;

  /** `model` is what failed, if that was a model. */
  constructor(file: string, messages: readonly Message[], private readonly model?: Chosen) {
    const extensions = document.querySelectorAll('#extensions .modules li').length;
    this.#failure = { file, messages, options: givenIn(byId<HTMLFormElement>('options')), extensions };
    this.element.addEventListener('toggle', () => this.element.open && this.#text.textContent === '' && void this.#write());
  }

  /** Shows the report, too, so that the user sees what was copied, or can select it. */
  async copy(pressed: HTMLButtonElement): Promise<void> {
    await this.#write();
    this.element.open = true;
    await copyFrom(this.#text, pressed);
  }

  /** Whether there can be a skeleton of the model. */
  get hasSkeleton(): boolean {
    const { messages } = this.#failure;
    if (this.model === undefined || messages.some(({ code }) => NO_STRUCTURE.includes(code))) return false;
    return skeletonMaker(this.model.main, this.model.side) !== undefined;
  }

  /** Saves the model without weights and names: its names are those of the report, which is shown. */
  async saveSkeleton(): Promise<void> {
    this.#text.replaceChildren();
    try {
      const [make, made] = await Promise.all([skeletonMaker(this.model!.main, this.model!.side)!(), product()]);
      const names = namesFor(this.#failure, made);
      const failed = await this.#skeleton(make, names);
      this.#text.textContent = safeText(reportOf(this.#failure, made, navigator.userAgent, names) + failed);
    } catch {
      fill(this.#text, LOST);
    }
    this.element.open = true;
  }

  /** Saves the skeleton. Returns '', or the line of the report that says why there is none. */
  async #skeleton(make: SkeletonMaker, names: Anonymous): Promise<string> {
    const { messages } = this.#failure;
    try {
      await offerSkeleton(await withModel(this.model!, {}, async (model) => make({ ...(model as Pick<Failed, 'main' | 'files'>), messages }, names)));
      return '';
    } catch (error) {
      const [message] = messagesOf(error);
      return `skeleton: none, ${message?.code} ${message?.text}\n`;
    }
  }

  async #write(): Promise<void> {
    try {
      const made = await product();
      this.#text.textContent = safeText(reportOf(this.#failure, made, navigator.userAgent, namesFor(this.#failure, made)));
    } catch {
      fill(this.#text, LOST);
    }
  }
}

async function product(): Promise<Product> {
  const { VERSION, PAGES } = await loadHelp();
  const pages = Object.entries(PAGES);
  const titles = Object.fromEntries(pages.map(([code, { title }]) => [code, title]));
  return { version: VERSION, titles, words: pages.map(([, { title, html }]) => `${title} ${proseOf(html)}`).join(' ') };
}

/** The text without examples and commands, which have names in them. */
function proseOf(html: string): string {
  return html.replaceAll(/<pre.*?<\/pre>|<code>.*?<\/code>|<[^>]*>/gs, ' ');
}
