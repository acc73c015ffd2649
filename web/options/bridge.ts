/** Makes the form from a pasted command line or the page's address, and the command line and the address from the form. */
import { givenFor } from '../bring/companions.js';
import { baseName, type Chosen } from '../bring/chosen.js';
import { commandLine } from './command.js';
import { byId, copyFrom, fill, h } from '../page/dom.js';
import { fromFragment, toFragment } from './fragment.js';
import { STANDARD_INPUT } from './line.js';
import { fillForm, givenIn } from './options.js';
import { PastedLine } from './paste.js';
import { isOwnEntry, setAddress } from '../page/history.js';
import type { Shell } from './quote.js';

/** Milliseconds without a change before the address changes. Browsers refuse pages that change it with every key. */
const CALM = 200;

/** A command line names at most so many models. If there are more, it names only the one in view. */
const IN_A_LINE = 20;

export class Bridge {
  /** The content of the form as the part of the address behind `#`. */
  #fragment = '';
  #started = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** The model of the pasted line. */
  #model = 'model.onnx';
  /** For whom the options in the address were given. */
  #owner: string | undefined;
  /** The models, the one in view and the extensions for which the command is shown. */
  #shown: [models: readonly Chosen[], inView: Chosen | undefined, extensions: readonly string[]] = [[], undefined, []];

  /**
   * `atHand` gives the names of models that need not be brought; `filled` is called after the form has got other values, which may be for
   * models that are not at hand.
   */
  constructor(
    private readonly form: HTMLFormElement,
    atHand: () => readonly string[],
    private readonly filled: (forNext: boolean) => void,
  ) {
    new PastedLine(atHand, ({ values, models: [model], named }) => {
      if (model !== undefined && model !== STANDARD_INPUT) this.#model = model;
      fillForm(form, values, named);
      filled(model !== undefined && !atHand().includes(baseName(model.replaceAll('\\', '/'))));
    });
    const shell = byId<HTMLSelectElement>('shell');
    if (navigator.userAgent.includes('Windows')) shell.value = 'powershell';
    shell.addEventListener('change', () => this.#showLines());
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]'))
      button.addEventListener('click', () => void copyFrom(byId(button.dataset['copy']!), button));
    addEventListener('hashchange', () => this.#followAddress());
  }

  /** Fills the form from the page's address, or else with the values that were `kept`. */
  start(kept: ReadonlyMap<string, string>): void {
    if (kept.size > 0 && fromFragment(location.hash).size === 0) fillForm(this.form, kept);
    else this.#followAddress();
    this.#started = true;
  }

  /** Shows the command line for the form, and then writes the form into the address. */
  show(models: readonly Chosen[], inView: Chosen | undefined, extensions: readonly string[], owner: string | undefined): void {
    this.#shown = [models, inView, extensions];
    this.#showLines();
    const fragment = toFragment(givenIn(this.form));
    if (fragment === this.#fragment && owner === this.#owner) return;
    [this.#fragment, this.#owner] = [fragment, owner];
    this.#waiting ??= setTimeout(() => this.#writeAddress(), CALM);
  }

  #writeAddress(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    setAddress(this.#fragment, this.#owner);
  }

  #showLines(): void {
    const [models, inView, extensions] = this.#shown;
    const inForm = givenIn(this.form);
    // What a format needs besides is of one model only.
    const together = models.length <= IN_A_LINE && models.every((one) => givenFor(one, inForm) === inForm);
    const meant = together || !inView ? models : [inView];
    const given = givenFor(meant[0], inForm);
    const files = meant.length > 0 ? meant.map(({ main }) => baseName(main.path)) : [this.#model];
    const shell = byId<HTMLSelectElement>('shell').value as Shell;
    for (const [id, caller] of [['command', 'npx'], ['command-mo', 'mo']] as const) {
      const parts = commandLine(caller, files, given, extensions, shell);
      fill(byId(id), ...parts.flatMap((part, index) => [index > 0 && ' ', h('span', {}, part)]));
    }
  }

  #followAddress(): void {
    // Back has closed something: the options are as they are.
    if (this.#started && isOwnEntry()) return this.#writeAddress();
    const values = fromFragment(location.hash);
    if (values.size === 0 && this.#fragment === '') return;
    fillForm(this.form, values);
    this.#fragment = toFragment(givenIn(this.form));
    if (this.#started) this.filled(false);
  }
}
