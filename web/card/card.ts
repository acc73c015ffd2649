/** The card of the model in view: its facts, the reasons why it cannot be converted, and the fields for its inputs and outputs. */
import type { BrowserOptions, Inspection, Message } from '@mo/wasm';

import { sizeOf } from '../bring/chosen.js';
import { byId, button, compose, fill, h, namesList } from '../page/dom.js';
import { countText, plural, t, type Text } from '../language/texts.js';
import { missingFiles } from '../report/missing.js';
import { messageList } from '../report/messages.js';
import type { Task } from '../convert/task.js';
import { factList, otherErrors, short, supportOf } from './facts.js';
import { lookOf, type Look } from './look.js';
import { PortFields } from './port-fields.js';
import type { WeightFormat } from '../options/weights.js';
import { readWishes, takesWishes, writeWishes, type Change, type Values, type Wishes } from './wishes.js';

/** Milliseconds without a change before the model is looked at again. */
const CALM = 250;
/**
 * Milliseconds after which another spare worker starts: the inspection of the model uses one, and a conversion needs one after another one
 * was cancelled.
 */
const LONG = 400;

/** At most so many missing files are listed by name. */
const SHOWN = 20;

/** The page around the card. */
export interface CardPage {
  options(): BrowserOptions;
  /** How the options store weights. */
  format(): WeightFormat;
  /** What stands in the fields of the form. */
  values(): Values;
  /** Sets fields of the form. */
  write(values: Values): void;
  isMarked(option: string): boolean;
  /** Marks the options that these messages are about. */
  refuse(messages: readonly Message[]): void;
  /** The model cannot be described: its error is shown in place of the card. */
  fail(task: Task): void;
  addFiles(): void;
  convert(): void;
  /** The options of the models before, as far as others could take them: as values, and in a line. undefined if there are none to offer. */
  last(): { readonly values: Values; readonly text: string } | undefined;
  takeLast(): void;
  /** All that is to be found out about the model is known. */
  settled(): void;
  /** Starts workers, so that the next conversion need not wait for one. */
  loadAhead(): void;
  /** The options as one text: what a conversion was asked for. */
  askedText(): string;
}

export class Card {
  readonly #section = byId('card');
  readonly #facts = h('div', { class: 'card-facts' });
  readonly #problems = h('div', { class: 'card-problems', id: 'card-messages' });
  readonly #ports: PortFields;
  readonly #summary = h('summary');
  readonly #details: HTMLDetailsElement;
  readonly #last = h('div', { class: 'card-last' });
  readonly #go: HTMLButtonElement;
  #task: Task | undefined;
  #read: { own: Inspection; values: string; wishes: Wishes } | undefined;
  /** Whether the options have changed and the model has not been looked at since. */
  #waits = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #spare: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly page: CardPage) {
    this.#ports = new PortFields((wishes, change) => this.#write(wishes, change), () => lookOf(this.#task!).places(this.page.options()));
    this.#details = h('details', { class: 'more' }, this.#summary, this.#ports.element);
    this.#go = button(t('Convert'), 'primary', () => this.page.convert());
    this.#section.addEventListener('keydown', (event) => this.#key(event));
    fill(this.#section, h('h2', { id: 'card-title' }, t('The model')), this.#facts, this.#problems, this.#last, this.#details, h('div', { class: 'actions' }, this.#go));
  }

  /** Shows what is known of the model, and inspects it for the rest. Nothing is shown without a model. */
  view(task: Task | undefined): void {
    if (this.#task?.chosen !== task?.chosen) {
      this.#stop();
      this.#ports.forget();
    }
    if (task?.state === 'ready' && this.#task?.chosen !== task.chosen) this.#details.open = true;
    this.#task = task;
    this.#section.hidden = !task;
    if (task) this.#see();
  }

  /** Gives the card's button the label of the form's button, and shows it if it is `wanted`. */
  offer(label: Text, wanted: boolean): void {
    fill(this.#go, label);
    this.#go.parentElement!.hidden = !wanted;
  }

  /** The options have changed. */
  changed(): void {
    if (!this.#task) return;
    this.#show();
    clearTimeout(this.#timer);
    this.#waits = true;
    this.#timer = setTimeout(() => {
      this.#see();
      if (!lookOf(this.#task!).busy) this.page.settled();
    }, CALM);
  }

  /** Whether the model has been looked at with the present options, and nothing is wrong with them. */
  get agrees(): boolean {
    if (!this.#task || this.#waits) return false;
    const { busy, failed, refused, changed } = lookOf(this.#task);
    return !busy && failed.length === 0 && refused.length === 0 && otherErrors(changed?.messages ?? []).length === 0;
  }

  /** Enter in a field converts; in a field with a list it chooses there. */
  #key(event: KeyboardEvent): void {
    const { target } = event;
    if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented || !(target instanceof HTMLInputElement) || target.role === 'combobox') return;
    event.preventDefault();
    this.page.convert();
  }

  /** Ends the inspection of the model, if one is under way. */
  cancel(task: Task | undefined): void {
    if (task && task === this.#task) this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#waits = false;
    if (this.#task && lookOf(this.#task).stop()) this.page.loadAhead();
  }

  #see(): void {
    this.#waits = false;
    const task = this.#task;
    if (!task) return;
    const look = lookOf(task);
    void look.see(this.page.options(), () => this.#task === task && this.#news(look));
    this.#show();
    clearTimeout(this.#spare);
    if (look.busy) this.#spare = setTimeout(() => look.busy && this.page.loadAhead(), LONG);
  }

  #news(look: Look): void {
    const task = this.#task!;
    if (task.state === 'ready' && look.failed.length > 0) return this.page.fail(task);
    this.#show();
    if (task.busy || look.busy || task.state === 'failed') return;
    this.page.refuse([...look.refused, ...otherErrors(look.changed?.messages ?? [])]);
    this.#mark();
    this.page.settled();
  }

  #show(): void {
    const task = this.#task!;
    const { first, found, own, busy, failed } = lookOf(task);
    this.#section.hidden = !busy && failed.length > 0;
    fill(this.#facts, factList(found ?? first, sizeOf(task.chosen), this.page.format()), !found && h('p', { class: 'support' }, first ? t('Looking for what is not supported…') : t('Reading what it is…')), found && supportOf(found, task.state === 'failed' && task.asked?.text === this.page.askedText() ? task.messages : []));
    this.#showProblems();
    this.#showLast();
    this.#details.hidden = !own;
    if (own) this.#showPorts();
  }

  /** Shows what is in the way of the conversion. Where a failed conversion shows its errors, the card leaves them out. */
  #showProblems(): void {
    const { found, refused } = lookOf(this.#task!);
    const missing = missingFiles(found?.messages ?? []);
    const says = this.#task!.state === 'ready' || this.#task!.state === 'done';
    const errors = says ? [...refused, ...otherErrors(found?.messages ?? [])] : [];
    fill(
      this.#problems,
      says && missing.length > 0 && h('div', { class: 'missing' },
        compose(h('p'), 'Its weights are in {files}, which did not come.', { files: [...namesList(missing.slice(0, SHOWN).map(short)),
          missing.length > SHOWN && ' ', missing.length > SHOWN && plural(missing.length - SHOWN, 'and {n} more file', 'and {n} more files')] }),
        button(missing.length > 1 ? t('Add the missing files…') : t('Add the missing file…'), '', () => this.page.addFiles())),
      errors.length > 0 && messageList(errors),
    );
  }

  /** Offers the options of the models before to a model that could take them. */
  #showLast(): void {
    const { own } = lookOf(this.#task!);
    const last = own && this.page.last();
    const fits = last !== undefined && takesWishes(last.values, own!);
    this.#last.hidden = !fits;
    if (!fits) return fill(this.#last);
    fill(this.#last,
      compose(h('p'), 'The model before had options: {options}', { options: h('code', {}, short(last.text)) }),
      button(t('Use them here, too'), 'quiet', () => this.page.takeLast()));
  }

  #showPorts(): void {
    const { own } = lookOf(this.#task!);
    if (!own) return;
    const wishes = this.#wishesOf(own);
    const { inputs, outputs } = wishes;
    fill(this.#summary, t('{inputs}, {outputs}', { inputs: countText(inputs.length, 'input'), outputs: countText(outputs.length, 'output') }), ' ', h('small', {}, t('shapes, types, layouts, mean and scale, cuts')));
    this.#ports.show(wishes);
    this.#mark();
  }

  /** What the user writes in the fields stays as it is, even while the option for it cannot be read. */
  #wishesOf(own: Inspection): Wishes {
    const values = JSON.stringify(this.page.values());
    if (this.#read?.own !== own || this.#read.values !== values) this.#read = { own, values, wishes: readWishes(this.page.values(), own) };
    return this.#read.wishes;
  }

  #write(wishes: Wishes, change: Change): void {
    const written = writeWishes(wishes, change);
    const values = { ...this.page.values(), ...written };
    const own = lookOf(this.#task!).own!;
    this.#read = change === 'cut' ? undefined : { own, values: JSON.stringify(values), wishes };
    this.page.write(written);
  }

  #mark(): void {
    this.#ports.mark(this.page.isMarked, this.#task?.state === 'failed' ? 'failed-messages' : 'card-messages');
  }
}
