/** The inputs and outputs of a model, with fields for their shapes, types, layouts, means and scales. */
import { button, compose, fill, h, namesList, setText } from '../page/dom.js';
import { plural, t, type LiveText, type Text } from '../language/texts.js';
import { addPlace, isCut, removePlace, type Side } from './cuts.js';
import { short } from './facts.js';
import { PlaceField, setInvalid } from './place-field.js';
import type { Places } from './places.js';
import { canName, type Change, type InputWish, type OutputWish, type Wishes } from './wishes.js';

const SHOWN = 20;
const TYPES = ['f32', 'f16', 'bf16', 'f64', 'i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8', 'boolean'];
const LABELS = { shape: t('Shape'), type: t('Type'), layout: t('Layout'), mean: t('Mean'), scale: t('Scale') } as const;
type Cell = keyof typeof LABELS;

/** The options in which the value of a cell may stand. */
const OPTIONS: Readonly<Record<Cell, readonly string[]>> = {
  shape: ['input_shape', 'input'], type: ['input'], layout: ['layout', 'source_layout', 'target_layout'], mean: ['mean_values'], scale: ['scale_values', 'scale'],
};

export class PortFields {
  readonly element = h('div', { class: 'ports' });
  readonly #unread = h('p', { class: 'hint' });
  #wishes: Wishes | undefined;
  #shape = '';
  readonly #cuts: Readonly<Record<Side, PlaceField>>;

  /** `onChange` gets the wishes as the user has changed them; `ask` gives the places at which the model can be cut. */
  constructor(private readonly onChange: (wishes: Wishes, change: Change) => void, ask: () => Promise<Places>) {
    const cut = (side: Side, title: Text) => new PlaceField(side, title, ask, (place) => this.#add(side, place));
    this.#cuts = { inputs: cut('inputs', t('Begin at another node or tensor')), outputs: cut('outputs', t('End at another node or tensor')) };
  }

  /** Another model is in view. */
  forget(): void {
    for (const cut of Object.values(this.#cuts)) cut.forget();
  }

  /** Fields that are there keep their focus; the one in which the user writes keeps its text. */
  show(wishes: Wishes): void {
    this.#wishes = wishes;
    const { inputs, outputs, inputsLeft, outputsLeft } = wishes;
    const shape = JSON.stringify([
      inputs.slice(0, SHOWN).map(({ place, own, value }) => [place, own?.shape, own?.type, value]), outputs.slice(0, SHOWN).map(({ place, own }) => [place, own?.shape]),
      ...[inputsLeft, outputsLeft].map((left) => left.slice(0, SHOWN)), ...[inputs, outputs, inputsLeft, outputsLeft].map(({ length }) => length), canName(wishes),
    ]);
    if (shape !== this.#shape) this.#build(wishes);
    this.#shape = shape;
    this.#showUnread(wishes.unread);
    for (const field of this.#fields()) {
      const value = this.#valueOf(field);
      if (field !== document.activeElement && field.value !== value) setValue(field, value);
    }
  }

  #showUnread(options: readonly string[]): void {
    this.#unread.hidden = options.length === 0;
    compose(this.#unread, 'The form has values that do not fit these fields: {options}', { options: namesList(options.map((name) => `--${name}`)) });
  }

  /** Marks the fields whose options are marked in the form. */
  mark(isMarked: (option: string) => boolean, described: string): void {
    for (const field of this.#fields()) {
      const bad = field.value !== '' && OPTIONS[field.dataset['cell'] as Cell].some(isMarked);
      setInvalid(field, bad);
      for (const name of ['aria-errormessage', 'aria-describedby']) {
        if (bad) field.setAttribute(name, described);
        else field.removeAttribute(name);
      }
    }
  }

  #fields(): NodeListOf<HTMLInputElement | HTMLSelectElement> {
    return this.element.querySelectorAll('[data-cell]');
  }

  #valueOf({ dataset }: HTMLElement): string {
    const rows: readonly (InputWish | OutputWish)[] = dataset['side'] === 'in' ? this.#wishes!.inputs : this.#wishes!.outputs;
    return (rows[Number(dataset['row'])] as InputWish)[dataset['cell'] as Cell];
  }

  #build(wishes: Wishes): void {
    const { inputs, outputs, inputsLeft, outputsLeft } = wishes;
    const nameable = canName(wishes);
    const focused = document.activeElement as HTMLElement | null;
    fill(
      this.element,
      h('h3', {}, t('Inputs')),
      ...inputs.slice(0, SHOWN).map((input, index) => this.#port('in', input, index, nameable, isCut(wishes, 'inputs'))),
      rest(inputs.length, (more) => plural(more, 'and {n} more input, which the form can name.', 'and {n} more inputs, which the form can name.')),
      this.#left(inputsLeft, 'inputs', t('No input now:')),
      nameable && this.#cuts.inputs.element,
      h('h3', {}, t('Outputs')),
      ...outputs.slice(0, SHOWN).map((output, index) => this.#port('out', output, index, nameable, outputs.length > 1 || isCut(wishes, 'outputs'))),
      rest(outputs.length, (more) => plural(more, 'and {n} more output, which the form can name.', 'and {n} more outputs, which the form can name.')),
      this.#left(outputsLeft, 'outputs', t('No output now:')),
      nameable && this.#cuts.outputs.element,
      h('p', { class: 'hint' }, nameable
        ? t('Mean and scale are one number, or one for each channel. A layout is nchw, or nchw->nhwc to change it.')
        : t('A name here has commas or brackets, which options cannot contain: you can give shapes only.')),
      this.#unread,
    );
    // The field of a place, in which the user types a name, was put in again. It gets its focus back.
    if (focused && focused !== document.activeElement && this.element.contains(focused)) focused.focus();
  }

  #port(side: 'in' | 'out', wish: InputWish | OutputWish, row: number, nameable: boolean, removable: boolean): HTMLElement {
    const id = `port-${side}-${row}`;
    const { place, own } = wish;
    const cells: readonly Cell[] = side === 'in' ? ['shape', 'type', 'layout', 'mean', 'scale'] : ['layout'];
    const frozen = 'value' in wish && wish.value !== '';
    const facts = [short(own?.shape ?? ''), own?.type, !own && (side === 'in' ? t('begins here') : t('ends here')), frozen && t('is always {value}', { value: short(wish.value) })].filter((fact) => !!fact);
    const remove = button(t('Take out'), 'quiet', () => {
      const both = side === 'in' ? 'inputs' : 'outputs';
      removePlace(this.#wishes!, both, row);
      this.#cutDone(both);
    });
    setText(remove, 'aria-label', t('Take out {name}', { name: place }));
    return h('div', { class: 'port', role: 'group', 'aria-labelledby': id },
      h('div', { class: 'port-head' },
        h('p', { id }, h('code', {}, short(place)), ' ', h('small', {}, ...facts.flatMap((fact, index) => [index > 0 && ' ', fact]))),
        removable && remove),
      !frozen && h('div', { class: 'port-cells' }, ...cells.map((cell) => this.#cell(side, row, cell, wish, nameable))));
  }

  #cell(side: string, row: number, cell: Cell, { own }: InputWish | OutputWish, nameable: boolean): HTMLElement {
    const data = { 'data-side': side, 'data-row': String(row), 'data-cell': cell };
    const usual: Text = { shape: own?.shape === undefined ? t('found out') : short(own.shape), layout: t('as it is'), mean: '0', scale: '1', type: '' }[cell];
    const field = cell === 'type'
      ? h('select', data, h('option', { value: '' }, own?.type ? t('{type}, as it is', { type: own.type }) : t('found out')), ...TYPES.map((type) => h('option', { value: type }, type)))
      : h('input', { ...data, placeholder: usual, spellcheck: 'false', autocomplete: 'off' });
    field.disabled = !nameable && cell !== 'shape';
    field.addEventListener('input', () => this.#edited(field));
    return h('label', { class: 'field' }, h('span', {}, LABELS[cell]), field);
  }

  #edited(field: HTMLInputElement | HTMLSelectElement): void {
    const { side, row, cell } = field.dataset;
    const wishes = this.#wishes!;
    const rows: readonly object[] = side === 'in' ? wishes.inputs : wishes.outputs;
    Object.assign(rows[Number(row)]!, { [cell!]: field.value.trim() });
    this.onChange(wishes, cell as Cell);
  }

  #cutDone(side: Side): void {
    this.onChange(this.#wishes!, 'cut');
    this.#cuts[side].focus();
  }

  /** What a cut leaves out can be kept beside it. */
  #left(names: readonly string[], side: Side, title: LiveText): HTMLElement | false {
    if (names.length === 0) return false;
    const keep = (name: string) => {
      const element = button(t('Keep'), 'quiet', () => this.#add(side, name));
      setText(element, 'aria-label', t('Keep {name}', { name }));
      return element;
    };
    return h('p', { class: 'left-out' }, title, ' ', ...names.slice(0, SHOWN).flatMap((name) => [h('code', {}, short(name)), keep(name)]));
  }

  #add(side: Side, place: string): void {
    addPlace(this.#wishes!, side, place);
    this.#cutDone(side);
  }
}

function rest(count: number, text: (more: number) => LiveText): HTMLElement | false {
  const more = count - SHOWN;
  return more > 0 && h('p', { class: 'hint' }, text(more));
}

/** A given type that is not in the list is added to it. */
function setValue(field: HTMLInputElement | HTMLSelectElement, value: string): void {
  if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) field.append(h('option', { value }, short(value)));
  field.value = value;
}
