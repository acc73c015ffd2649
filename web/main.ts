/** The page: takes models, converts them in a worker one after the other, and shows the results. */
import { FORMATS, prepare, updateConfig, type BrowserOptions, type Message } from '@mo/wasm';

import { Again } from './convert/again.js';
import { withModel } from './archive/ready.js';
import { removeLeftOver } from './archive/spool.js';
import { Bridge } from './options/bridge.js';
import { Card } from './card/card.js';
import { lookOf } from './card/look.js';
import { baseName, withMore } from './bring/chosen.js';
import { acceptPastes } from './bring/clipboard.js';
import { Configurations } from './options/configurations.js';
import { byId } from './page/dom.js';
import { showDone } from './result/done.js';
import { readRoots, showExtensions, type Extensions } from './bring/extensions.js';
import type { Brought } from './bring/brought.js';
import { acceptDrops, filesWithPaths } from './bring/drop.js';
import { showFailed } from './result/failed.js';
import { markFields, revealFilled, unmark } from './options/fields.js';
import { completeForm } from './options/form.js';
import { loadGraph } from './graph/graph-button.js';
import { loadHelp } from './report/help.js';
import { wholeText } from './language/messages.js';
import { followPageTexts } from './language/page-texts.js';
import { loadLanguages } from './language/languages.js';
import { LanguageSwitch } from './language/switch.js';
import { safeText } from './language/shown.js';
import { allText, countText, plural, t, type Text } from './language/texts.js';
import { loadArchives, receive } from './bring/incoming.js';
import { Keeping } from './options/keeping.js';
import { askBeforeLeaving } from './convert/leave.js';
import { pageMessage } from './report/page-message.js';
import { ModelList } from './convert/models.js';
import { givenIn, readOptions, textsIn, writeTexts } from './options/options.js';
import { loadProofs } from './proof/parts.js';
import { loadSkeletons } from './skeleton/formats.js';
import { keepOffline, places } from './page/surroundings.js';
import { showTaken, type Taken } from './bring/taken.js';
import { messagesOf, Task } from './convert/task.js';
import { Title } from './convert/title.js';
import { WorkingView } from './convert/working.js';
import { NoModel } from './report/codes.js';
import { msg } from '@mo/wasm/msg';

type Section = 'empty' | 'ready' | 'working' | 'done' | 'failed';

const form = byId<HTMLFormElement>('options');
followPageTexts();
completeForm(form);
const bridge = new Bridge(form, () => tasks.map(({ name }) => name), filled);
const configurations = new Configurations((name) => {
  setConfig(name);
  changed();
});
const working = new WorkingView(say);
const models = new ModelList({ select, cancel });
const title = new Title();
const language = new LanguageSwitch(() => title.refresh(), () => keeping.changed());
const keeping = new Keeping(form, language, forgotten);
const card = new Card({
  options: optionsNow,
  values: () => textsIn(form),
  write: (values) => writeTexts(form, values),
  isMarked: (option) => field(option).getAttribute('aria-invalid') === 'true',
  refuse: (messages) => markFields(form, messages),
  fail: (task) => {
    task.fail(lookOf(task).failed);
    view(task);
  },
  addFiles: () => byId('files').click(),
  convert: again,
  loadAhead,
});
const FORMATS_READ = FORMATS.filter(({ reads }) => reads).map(({ title, endings }) => `${title} (${endings.join(' ')})`).join(', ');
const againButtons = new Again(card);

/** The models at hand, in the order in which they are converted. */
let tasks: readonly Task[] = [];
/** The one in view. While `follows` is set, that is the one at work. */
let shown: Task | undefined;
let follows = true;
let extensions: Extensions = { on: [], off: [] };
/** What each file that came with these models is used as, and the errors of those that cannot be used. */
let taken: Pick<Taken, 'roles' | 'errors'> = { roles: new Map(), errors: [] };

/** Files came: models, side files for those that lack some, extensions, or a configuration for them. */
async function take(brought: Brought): Promise<void> {
  try {
    const came = await receive(brought, lackFiles());
    if (came) await sort(came);
  } catch (error) {
    fail(t('Not read'), messagesOf(error));
  }
}

async function sort(came: Taken): Promise<void> {
  const { models, modules, held, sent, config, rest } = came;
  if (modules.length + held.length > 0) setExtensions({ on: modules.length > 0 ? await readRoots(modules) : extensions.on, off: await readRoots(held) });
  if (config !== undefined) setConfig(config.text, baseName(config.path));
  const changed = modules.length > 0 || config !== undefined;
  if (models.length > 0) {
    taken = came;
    return start(models.map((model) => new Task(model, keeping.looks || sent ? 'ready' : 'waiting')));
  }
  if (changed || held.length > 0 || (rest.length > 0 && lackFiles())) {
    taken = { roles: new Map([...taken.roles, ...came.roles]), errors: came.errors };
    return start(await Promise.all(tasks.map(async (task) => {
      const state = sent || task.state === 'ready' ? 'ready' : 'waiting';
      if (lacksFiles(task)) return new Task(await withMore(task.chosen, rest), state);
      // The one at work begins again: only one row of conversions is under way at a time.
      return changed || task.state === 'working' ? new Task(task.chosen, state) : task;
    })));
  }
  taken = { roles: came.roles, errors: [] };
  if (came.errors.length > 0) fail(t('Not read'), came.errors);
  else fail(t('No model'), [pageMessage(NoModel, msg`none of these files is a model of a format that is read here: ${FORMATS_READ}`, 'bring the model file together with its data files')]);
}

function lackFiles(): boolean {
  return tasks.some(lacksFiles);
}

/** Whether the conversion has failed because files are missing, or would fail. */
function lacksFiles(task: Task): boolean {
  return task.lacksFiles || (task.state === 'ready' && (lookOf(task).found?.missing_files.length ?? 0) > 0);
}

/** Adds to the configuration the inputs and outputs of its sub-graphs in this model, and converts again. */
async function completeConfig({ name, chosen }: Task): Promise<void> {
  try {
    const { value, dataset } = field('transformations_config');
    setConfig(await withModel(chosen, {}, (model) => updateConfig(model, value)), dataset['file']);
    again();
  } catch (error) {
    fail(name, messagesOf(error));
  }
}

/** Sets the configuration. Its field may be in a closed part of the form, which is opened, so that the user sees it. */
function setConfig(text: string, file = ''): void {
  const { dataset } = Object.assign(field('transformations_config'), { value: text });
  if (file === '') delete dataset['file'];
  else dataset['file'] = file;
  revealFilled(form);
}

function setExtensions(next: Extensions): void {
  extensions = next;
  showExtensions(next, (now) => {
    setExtensions(now);
    changed();
  });
}

function optionsNow(): BrowserOptions {
  return { ...readOptions(form), extensions: extensions.on };
}

/** The options and extensions as one text: if it changes, the result may change. */
function optionsText(): string {
  return JSON.stringify([givenIn(form).map(({ row, value }) => [row.name, value]), field('transformations_config').value, extensions.on.map(({ name }) => name)]);
}

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

function again(): void {
  void start(tasks.map(({ chosen }) => new Task(chosen)));
}

/** Replaces the models at hand by `next`, and converts those that wait, one after the other. */
async function start(next: readonly Task[]): Promise<void> {
  for (const task of tasks) if (!next.includes(task)) task.discard();
  tasks = next;
  follows = true;
  byId('name-hint').hidden = !(field('model_name').disabled = next.length > 1);
  const options = optionsNow();
  againButtons.begins(optionsText());
  if (next.length === 0) {
    showCommand();
    refresh();
    return say(t('Now bring a model.'));
  }
  const held = next.find(({ state }) => state === 'ready');
  if (held) {
    view(held);
    if (taken.errors.length > 0) alarm(taken.errors);
    say(t('{name} is ready to convert.', { name: held.name }));
  }
  for (const task of next) {
    if (!task.waits) continue;
    working.start(task.name);
    const ended = task.run(options, (step) => {
      if (task.state !== 'working') return;
      working.show(step);
      title.progress(step);
    });
    turnTo(task);
    if (taken.errors.length > 0) alarm(taken.errors);
    await ended;
    // The worker of a cancelled conversion has ended: another one starts.
    if (task.state === 'cancelled') loadAhead();
    if (tasks !== next) return;
    if (task.done) say(t('{name} is converted. {files} can be saved.', { name: task.name, files: allText(task.done.downloads.map(({ name }) => name)) }));
    if (task.state !== 'cancelled') turnTo(task);
  }
  if (!held) finish();
}

/** After the last model. If the one in view was cancelled, there is nothing to show of it, and another one comes into view. */
function finish(): void {
  if (follows && shown?.state === 'cancelled') {
    const last = tasks.findLast(({ state }) => state === 'done' || state === 'failed');
    if (last) view(last);
    else show('empty');
  }
  refresh();
  if (tasks.length < 2) return;
  const converted = tasks.filter(({ done }) => done).length;
  say(plural(tasks.length, '{converted} of {n} model converted.', '{converted} of {n} models converted.', { converted }));
}

/** The task at work comes into view, unless the user looks at another one. */
function turnTo(task: Task): void {
  if (follows || tasks.length === 1) view(task);
  else refresh();
}

function select(task: Task): void {
  follows = task.state === 'working';
  view(task);
  byId(`${sectionOf(task)}-title`).focus();
}

function cancel(task: Task | undefined): void {
  task?.cancel();
  card.cancel(task);
  refresh();
  say(t('Cancelled.'));
}

function cancelShown(): void {
  if (!byId('working').hidden) cancel(tasks.find(({ state }) => state === 'working'));
}

function sectionOf({ state }: Task): Section {
  return state === 'waiting' || state === 'cancelled' ? 'empty' : state;
}

function view(task: Task): void {
  const { name, done, messages } = task;
  shown = task;
  if (done) showDone(byId('done'), name, done, task);
  if (task.state === 'ready') byId('ready-title').textContent = safeText(name);
  if (task.state === 'failed') fail(name, messages, task);
  else show(sectionOf(task));
}

/** Shows what went wrong, with a task or without one. */
function fail(title: Text, messages: readonly Message[], task?: Task): void {
  shown = task;
  follows &&= task !== undefined;
  showFailed(byId('failed'), title, messages, () => byId('files').click(), () => task && void completeConfig(task), task?.chosen);
  show('failed');
  markFields(form, messages);
  revealFilled(form);
  alarm(messages);
}

function alarm(messages: readonly Message[]): void {
  const [first] = messages;
  byId('alert').textContent = safeText(t('{messages}. {code} {text}', {
    messages: countText(messages.length, 'message'), code: first?.code ?? '', text: first ? wholeText(first) : '',
  }));
}

function show(section: Section): void {
  for (const name of ['empty', 'ready', 'working', 'done', 'failed'] as const) byId(name).hidden = name !== section;
  if (section !== 'working') working.stop();
  byId('alert').textContent = '';
  byId('next').hidden = section === 'empty' || section === 'working';
  markFields(form, []);
  card.view(section === 'empty' ? undefined : shown);
  refresh();
  if (!isElsewhere()) byId(`${section}-title`).focus();
}

/** While several models are converted the user may be at work in the form or in their list, and is left there. */
function isElsewhere(): boolean {
  const active = document.activeElement as HTMLElement | null;
  return tasks.length > 1 && !!active?.closest('#options, #models, #card') && active.offsetParent !== null;
}

/** Shows again what the page says about all models. */
function refresh(): void {
  againButtons.show(tasks, optionsText());
  models.show(tasks, shown);
  title.show(tasks);
  showTaken(taken, tasks);
  showCommand();
}

function say(text: Text): void {
  byId('status').textContent = safeText(text);
}

function showCommand(): void {
  bridge.show(tasks.map(({ chosen }) => chosen), (shown ?? tasks[0])?.chosen, extensions.on.map(({ name }) => name));
}

/** The form has got other values, from a command line or an address. */
function filled(): void {
  markFields(form, []);
  revealFilled(form);
  changed();
}

/** The content of the form has changed. */
function changed(): void {
  configurations.show(field('transformations_config').value);
  showCommand();
  againButtons.show(tasks, optionsText());
  card.changed();
  keeping.changed();
}

function forgotten(): void {
  delete field('transformations_config').dataset['file'];
  filled();
  say(t('The options are as they come, and nothing is kept.'));
}

/** Loads all parts of the page. Errors are ignored: the next use of a part reports them. A performance mark says when all have come. */
function loadAhead(): void {
  void Promise.allSettled([prepare(places), loadHelp(), loadArchives(), loadGraph(), loadProofs(), loadSkeletons(), loadLanguages()]).then(() => performance.mark('mo-ready'));
}

for (const kind of ['files', 'folder'] as const) {
  const input = byId<HTMLInputElement>(kind);
  for (const choice of document.querySelectorAll<HTMLButtonElement>(`[data-choose=${kind}]`)) {
    choice.hidden = kind === 'folder' && !('webkitdirectory' in input);
    choice.addEventListener('click', () => input.click());
  }
  input.addEventListener('change', () => {
    const files = filesWithPaths(input.files ?? []);
    input.value = '';
    void take({ files, errors: [] });
  });
}
acceptDrops(byId('overlay'), (brought) => void take(brought));
acceptPastes((brought) => void take(brought));
askBeforeLeaving(() => tasks);
form.addEventListener('input', ({ target }) => {
  unmark(target as HTMLElement);
  delete (target as HTMLElement).dataset['file'];
  changed();
});
form.addEventListener('written', (event) => {
  for (const name of (event as CustomEvent<readonly string[]>).detail) unmark(field(name));
  changed();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (tasks.length > 0) again();
});
byId('cancel').addEventListener('click', cancelShown);
addEventListener('keydown', (event) => event.key === 'Escape' && cancelShown());
keeping.start((values) => bridge.start(values));
loadAhead();
void removeLeftOver();
keepOffline((brought) => void take(brought));
