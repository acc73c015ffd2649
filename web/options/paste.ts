/** A command line that the user pastes, and the notes about it. */
import { MoError, parseCommandLine, type Message } from '@mo/wasm';

import { baseName } from '../bring/chosen.js';
import { byId, compose, fill, h, namesList } from '../page/dom.js';
import { unmark } from './fields.js';
import { templateText, wholeText } from '../language/messages.js';
import { safeText } from '../language/shown.js';
import { t, type Text } from '../language/texts.js';
import { STANDARD_INPUT, understand, type Understood } from './line.js';
import { isDefault, ROWS } from './options.js';
import { loadPython } from '../proof/parts.js';
import { callOf, withoutPrompt } from './program.js';
import { guessShell, LineError, split } from './split.js';
import { messagesOf } from '../convert/task.js';
import { msg } from '@mo/wasm/msg';

/** No shell takes a longer one. */
const LONGEST_LINE = 1 << 16;
/** The arguments of a line without options. Others are compared with it. */
const PLAIN = ['model'];

export class PastedLine {
  readonly #field = byId<HTMLTextAreaElement>('line');
  readonly #error = byId('line-error');
  readonly #notes = byId('line-notes');
  #turn = 0;

  constructor(
    private readonly atHand: () => readonly string[],
    private readonly onUnderstood: (understood: Understood) => void,
  ) {
    byId('take-line').addEventListener('click', () => void this.#take());
    // After the text has come into the field.
    this.#field.addEventListener('paste', () => setTimeout(() => void this.#take()));
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      void this.#take();
    });
    this.#field.addEventListener('input', () => this.#say());
  }

  async #take(): Promise<void> {
    const turn = ++this.#turn;
    this.#say();
    try {
      const { understood, rest } = await read(this.#field.value);
      if (turn !== this.#turn) return;
      this.onUnderstood(understood);
      this.#say('', notesOf(understood, rest, this.atHand()));
    } catch (error) {
      if (turn === this.#turn) this.#say(error instanceof LineError ? templateText(error.said) : withCode(messagesOf(error)[0]!));
    }
  }

  #say(error: Text = '', notes: HTMLElement[] = []): void {
    this.#error.hidden = error === '';
    fill(this.#error, error);
    fill(this.#notes, ...notes);
    if (error === '') return unmark(this.#field);
    this.#field.setAttribute('aria-invalid', 'true');
    this.#field.setAttribute('aria-errormessage', this.#error.id);
    byId('alert').textContent = safeText(error);
  }
}

const withCode = (error: Message): Text => t('{code} {text}', { code: error.code, text: wholeText(error) });

async function read(text: string): Promise<{ understood: Understood; rest: string }> {
  if (text.length > LONGEST_LINE) throw new LineError(msg`this text is too long for a command line`);
  const python = /\bconvert_model\b/.test(text) ? (await loadPython()).pythonCall(text) : undefined;
  const { words, rest } = python ? { words: [], rest: '' } : split(withoutPrompt(text), guessShell(text));
  const { program, args, environment } = python ?? callOf(words);
  const line = await parseCommandLine(program, args, environment);
  if (line.action === 'refused') throw new MoError(line.messages);
  if (line.action !== 'convert') throw new LineError(msg`this command line converts nothing: it asks for a text`);
  const understood = understand(line, await parseCommandLine('mo', PLAIN));
  if (!python) return { understood, rest };
  return { understood: { ...understood, ...(!python.hasFile && { models: [] }), idle: [...understood.idle, ...python.idle] }, rest };
}

/** The options as they are taken, and what the user has to do or to know. */
function notesOf({ values, models, files, idle }: Understood, rest: string, atHand: readonly string[]): HTMLElement[] {
  const missing = models.filter((path) => path !== STANDARD_INPUT && !atHand.includes(baseName(path.replaceAll('\\', '/'))));
  const lines: HTMLElement[] = [];
  if (missing.length > 0) lines.push(compose(h('p'), 'Drop the model {names} on this page.', { names: namesList(missing) }));
  if (files.length > 0) lines.push(compose(h('p'), 'Bring {names} together with it.', { names: namesList(files) }));
  if (idle.length > 0) lines.push(compose(h('p'), 'Without effect here: {names}', { names: namesList(idle.map((name) => `--${name}`)) }));
  const options = ROWS.flatMap((row) => (values.has(row.name) && !isDefault(row, values.get(row.name)!) ? [[row.name, values.get(row.name)!] as const] : []));
  const taken = options.map(([name, value]) => h('li', {}, h('code', {}, `--${name}`), ' ', value));
  if (taken.length > 0) lines.unshift(h('ul', { class: 'understood', 'aria-label': t('Understood') }, ...taken));
  return rest === '' ? lines : [...lines, h('p', {}, t('Only the first command is taken.'))];
}
