/** The page: takes models, converts them in a worker one after the other, and shows the results. */
import { FORMATS, prepare, updateConfig, type BrowserOptions, type Message } from '@mo/wasm';

import { Again } from './convert/again.js';
import { withModel } from './archive/ready.js';
import { removeLeftOver } from './archive/spool.js';
import { Bridge } from './options/bridge.js';
import { Card } from './card/card.js';
import { lookOf } from './card/look.js';
import { Sizes } from './card/sizes.js';
import { baseName, joinedModels, withMore, type Chosen } from './bring/chosen.js';
import { acceptPastes } from './bring/clipboard.js';
import { Configurations } from './options/configurations.js';
import { loadNamed } from './bring/companions.js';
import { nameFile, namesIn } from './options/option-files.js';
import { byId } from './page/dom.js';
import { showDone } from './result/done.js';
import { readRoots, showExtensions, type Extensions } from './bring/extensions.js';
import { fingerprintOf } from './bring/fingerprint.js';
import type { Brought } from './bring/brought.js';
import { acceptDrops, filesWithPaths } from './bring/drop.js';
import { showFailed } from './result/failed.js';
import { closeGroups, markFields, revealFilled, unmark } from './options/fields.js';
import { completeForm } from './options/form.js';
import { loadGraph } from './graph/graph-button.js';
import { loadHelp } from './report/help.js';
import { wholeText } from './language/messages.js';
import { followPageTexts } from './language/page-texts.js';
import { loadLanguages } from './language/languages.js';
import { LanguageSwitch } from './language/switch.js';
import { safeText, setText } from './language/shown.js';
import { allText, countText, plural, t, type Text } from './language/texts.js';
import { loadArchives, loadQuestion, receive } from './bring/incoming.js';
import { Keeping } from './options/keeping.js';
import { askBeforeLeaving } from './convert/leave.js';
import { ModelList } from './convert/models.js';
import { forOthers, isHabit, ownText, recall, remember, valuesFor } from './options/memory.js';
import { fillForm, givenIn, optionText, readOptions, ROWS, textsIn, writeTexts } from './options/options.js';
import { OptionsPlace } from './options/place.js';
import { loadProofs } from './proof/parts.js';
import { loadSkeletons } from './skeleton/formats.js';
import { keepOffline, offerDocuments, places } from './page/surroundings.js';
import { loadIrs, roleAmong, showTaken, type Taken } from './bring/taken.js';
import { messagesOf, Task, type Asked } from './convert/task.js';
import { Title } from './convert/title.js';
import { WeightChoice } from './options/weights.js';
import { WorkingView } from './convert/working.js';
import { openLayer, ownerOfAddress } from './page/history.js';
import { showStaleness, type Staleness } from './result/stale.js';
import { areSaved } from './save/files.js';
import { fromFragment } from './options/fragment.js';
import * as step from './state.js';

type Came = Pick<Taken, 'roles' | 'errors' | 'kinds'>;
const SECTIONS = ['empty', 'ready', 'working', 'done', 'failed', 'ir'] as const;
type Section = (typeof SECTIONS)[number];

/** Milliseconds without a change before results are made again without being asked for. */
const CALM = 400;
/** Milliseconds after which a conversion that the page has begun by itself is shown at its work. */
const LONG = 1000;

let state = step.nothing<Task, Extensions, Came, Chosen>({ on: [], off: [] }, { roles: new Map(), errors: [], kinds: new Map() });

const form = byId<HTMLFormElement>('options');
followPageTexts();
// The page as one file has no documents beside it.
const documents = document.querySelector('a[href="./docs/index.html"]');
if (documents) setText(documents, 'href', t('./docs/index.html'));
completeForm(form);
const bridge = new Bridge(form, () => state.tasks.map(({ name }) => name), filled);
const configurations = new Configurations(field('transformations_config'), (name) => {
  setConfig(name);
  changed();
});
const working = new WorkingView(say);
const models = new ModelList({ select, cancel });
const title = new Title();
const language = new LanguageSwitch(() => title.refresh(), () => keeping.changed());
const keeping = new Keeping(form, language, forgotten);
const place = new OptionsPlace();
const sizes = new Sizes({ options: optionsNow, askedText: optionsText, show: (found) => weights.showSizes(found), loadAhead });
const weights = new WeightChoice(form);
const card = new Card({
  options: optionsNow,
  format: () => weights.format,
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
  last,
  takeLast,
  settled: () => {
    renew();
    measure();
  },
  loadAhead,
  askedText: () => asked().text,
});
const READ = FORMATS.filter(({ reads }) => reads);
for (const id of ['formats', 'overlay-formats']) byId(id).textContent = READ.map(({ title }) => title.replace(' ', '\u00a0')).join('\u00a0· ');
const againButtons = new Again(card);
let calm: ReturnType<typeof setTimeout> | undefined;
/** What was last said of the result in view. */
let said: Staleness = 'no';
/** Whether Back is kept from leaving results at once. */
let guarded = false;
/** Ends what is under way for the IRs in view. */
let looking = new AbortController();

/** Files came: models, side files for those that lack some, extensions, or a configuration for them. */
async function take(brought: Brought): Promise<void> {
  try {
    const came = await receive(brought, lackFiles() || !!state.irs[0] && (await loadIrs()).irsWait(state.irs, brought.files));
    if (came) await sort(came);
  } catch (error) {
    fail(t('Not read'), messagesOf(error));
  }
}

async function sort(came: Taken): Promise<void> {
  const { models, modules, held, sent, config, rest } = came;
  if (modules.length + held.length > 0) setExtensions({ on: modules.length > 0 ? await readRoots(modules) : state.extensions.on, off: await readRoots(held) });
  const begins = keeping.looks || sent ? 'ready' : 'waiting';
  // Models that become whole keep their options.
  const open = state.tasks.filter((task) => task.state === 'failed' || lacksFiles(task));
  const together = await joinedModels(open.map(({ chosen }) => chosen), models, rest, namesIn(form));
  if (models.length > 0 && !together) adopt(await fingerprintOf(models));
  if (config !== undefined) {
    setConfig(config.text, baseName(config.path));
    if (models.length === 0) state = step.optionsGiven(state);
  }
  const changed = modules.length > 0 || config !== undefined;
  const irs = (came.irs[0] ?? state.irs[0]) && (await loadIrs()).irsWith(state.irs, came);
  if (irs) return lookAt(irs, came);
  if (together) {
    state = step.joined(state, { ...came, roles: new Map([...state.taken.roles, ...came.roles].map(([file, role]) => [file, roleAmong(together, file, role)])) });
    return start([...state.tasks.filter((task) => !open.includes(task)), ...together.map((model) => new Task(model, begins))]);
  }
  if (models.length > 0) {
    state = step.brought(state, came);
    return start(models.map((model) => new Task(model, begins)));
  }
  if (changed || held.length > 0 || (rest.length > 0 && lackFiles())) {
    state = step.joined(state, came);
    return start(await Promise.all(state.tasks.map(async (task) => {
      const next = sent || task.state === 'ready' ? 'ready' : 'waiting';
      if (lacksFiles(task)) return new Task(await withMore(task.chosen, rest), next);
      // The one at work begins again: only one row of conversions is under way at a time.
      return changed || task.state === 'working' ? new Task(task.chosen, next) : task;
    })));
  }
  state = step.brought(state, { ...came, errors: [] });
  if (came.errors.length > 0) fail(t('Not read'), came.errors);
  else fail(t('No model'), (await loadNoModel()).noModel(came));
}

/** IRs take the place of the models at hand. */
async function lookAt(irs: readonly Chosen[], came: Taken): Promise<void> {
  const { rolesBeside, showIrs } = await loadIrs();
  void start([]);
  state = step.looking(state, irs, { ...came, roles: rolesBeside(irs, came.roles) });
  looking.abort();
  looking = new AbortController();
  void showIrs(byId('ir'), irs, { addFiles: () => byId('files').click(), say, loadAhead }, looking.signal);
  show('ir');
  if (came.errors.length > 0) alarm(came.errors);
}

/** The options of the form become those of these models: what was given for others goes, what these had comes back. */
function adopt(models: string): void {
  const given = givenIn(form);
  const { next, keeps } = step.adopting(state, models, ownText(given), given.some(({ row }) => !isHabit(row.name)));
  const isNew = models !== state.models;
  state = next;
  if (!keeps) {
    fillForm(form, valuesFor(given, recall(models)));
    delete field('transformations_config').dataset['file'];
  }
  if (isNew) closeGroups(form);
  if (isNew || !keeps) revealFilled(form);
  remember(models, ownText(givenIn(form)));
  changed();
}

/** The options of the models before, for the card of a model that has none. */
function last(): { values: Record<string, string>; text: string } | undefined {
  const own = forOthers(state.last);
  if (own === '' || ownText(givenIn(form)) !== '' || state.tasks.length !== 1) return undefined;
  const values = fromFragment(own);
  const text = givenFrom(values);
  return { values: { ...textsIn(form), ...Object.fromEntries(values) }, text };
}

function givenFrom(values: ReadonlyMap<string, string>): string {
  return ROWS.flatMap((row) => (values.has(row.name) ? [optionText({ row, value: values.get(row.name)! })] : [])).join(' ');
}

function takeLast(): void {
  fillForm(form, valuesFor(givenIn(form), forOthers(state.last)));
  filled(false);
  // The button that was pressed is gone.
  byId('card-title').focus();
}

function lackFiles(): boolean {
  return state.tasks.some(lacksFiles);
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
  configurations.show(text);
  revealFilled(form);
}

function setExtensions(next: Extensions): void {
  state = step.extended(state, next);
  showExtensions(next, (now) => {
    setExtensions(now);
    changed();
  });
}

function optionsNow(): BrowserOptions {
  return { ...readOptions(form), extensions: state.extensions.on };
}

/** The options and extensions as one text: if it changes, the result may change. */
function optionsText(): string {
  return JSON.stringify([givenIn(form).map(({ row, value }) => [row.name, value]), field('transformations_config').value, state.extensions.on.map(({ name }) => name)]);
}

function asked(): Asked {
  return { options: optionsNow(), given: givenIn(form), text: optionsText() };
}

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

function again(): void {
  if (state.tasks.length > 0) void start(state.tasks.map(({ chosen }) => new Task(chosen)));
}

/** Makes results again that the options of the form do not give any more, if that takes no time and nothing is wrong with the options. */
function renew(): void {
  const { tasks } = state;
  const text = optionsText();
  if (tasks.some(({ busy }) => busy) || !tasks.some((task) => task.isStale(text)) || !areQuick(tasks) || !card.agrees) return;
  void start(tasks.map(({ chosen }) => new Task(chosen, 'waiting', true)));
}

/** Finds the sizes of the weights of the model in view out, unless something is under way. */
function measure(): void {
  sizes.follow(state.shown, !state.tasks.some(({ busy }) => busy));
}

const areQuick = (tasks: readonly Task[]): boolean => tasks.length < 10 && tasks.every((task) => task.isQuick);

/** Replaces the models at hand by `next`, and converts those that wait, one after the other. */
async function start(next: readonly Task[]): Promise<void> {
  clearTimeout(calm);
  for (const task of state.tasks) if (!next.includes(task)) task.discard();
  state = step.begun(state, next);
  place.show(next.length > 0);
  byId('name-hint').hidden = !(field('model_name').disabled = next.length > 1);
  const wanted = asked();
  againButtons.begins(wanted.text);
  if (next.length === 0) {
    showCommand();
    refresh();
    return say(t('Now drop a model.'));
  }
  const held = next.find(({ state }) => state === 'ready');
  if (held) {
    view(held);
    if (state.taken.errors.length > 0) alarm(state.taken.errors);
    say(t('{name} is ready to convert.', { name: held.name }));
  }
  for (const task of next) {
    if (!task.waits) continue;
    working.start(task.name);
    const ended = task.run(wanted, (step) => {
      if (task.state !== 'working') return;
      working.show(step);
      title.progress(step);
    });
    // The result that is there stays in view while it is made again.
    const slow = task.byItself ? setTimeout(() => task.state === 'working' && turnTo(task), LONG) : undefined;
    if (!task.byItself) turnTo(task);
    else refresh();
    if (state.taken.errors.length > 0) alarm(state.taken.errors);
    await ended;
    clearTimeout(slow);
    // The worker of a cancelled conversion has ended: another one starts.
    if (task.state === 'cancelled') loadAhead();
    if (state.tasks !== next) return;
    if (task.done) say(t('{name} is converted. {files} can be saved.', { name: task.name, files: allText(task.done.downloads.map(({ name }) => name)) }));
    if (task.done && !guarded) keepFromLeaving();
    if (task.state !== 'cancelled') turnTo(task);
  }
  if (!held) finish();
}

function keepFromLeaving(): void {
  guarded = true;
  openLayer(leaving);
}

/** Back would leave the page: it does so at once only if nothing is lost. */
function leaving(): void {
  guarded = false;
  if (state.tasks.every(({ busy, done }) => !busy && (!done || areSaved(done.downloads)))) return history.back();
  say(t('Not saved yet. Back once more leaves the page.'));
}

/** After the last model. If the one in view was cancelled, there is nothing to show of it, and another one comes into view. */
function finish(): void {
  if (step.stoppedInView(state)) {
    const last = step.lastEnded(state);
    if (last) view(last);
    else show('empty');
  }
  refresh();
  const { tasks } = state;
  if (tasks.length < 2) return;
  const converted = tasks.filter(({ done }) => done).length;
  say(plural(tasks.length, '{converted} of {n} model converted.', '{converted} of {n} models converted.', { converted }));
}

/** The task at work comes into view, unless the user looks at another one. */
function turnTo(task: Task): void {
  if (step.turnsTo(state)) view(task);
  else refresh();
}

function select(task: Task): void {
  state = step.chosen(state, task);
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
  if (!byId('working').hidden) cancel(state.tasks.find(({ state }) => state === 'working'));
}

function sectionOf({ state }: Task): Section {
  return state === 'waiting' || state === 'cancelled' ? 'empty' : state;
}

function view(task: Task): void {
  const { name, done, messages } = task;
  state = step.viewing(state, task);
  if (done) showDone(byId('done'), name, done, task);
  if (task.state === 'ready') byId('ready-title').textContent = safeText(name);
  if (task.state === 'failed') fail(name, messages, task);
  else show(sectionOf(task));
}

/** Shows what went wrong, with a task or without one. */
function fail(title: Text, messages: readonly Message[], task?: Task): void {
  state = step.failing(state, task);
  showFailed(byId('failed'), title, messages, () => byId('files').click(), () => task && void completeConfig(task), task?.chosen, task?.asked?.given);
  show('failed');
  markFields(form, messages);
  alarm(messages);
}

function alarm(messages: readonly Message[]): void {
  const [first] = messages;
  byId('alert').textContent = safeText(t('{messages}. {code} {text}', {
    messages: countText(messages.length, 'message'), code: first?.code ?? '', text: first ? wholeText(first) : '',
  }));
}

function show(section: Section): void {
  for (const name of SECTIONS) byId(name).hidden = name !== section;
  if (section !== 'working') working.stop();
  if (section !== 'ir') looking.abort();
  byId('alert').textContent = '';
  byId('next').hidden = section === 'empty' || section === 'working';
  markFields(form, []);
  card.view(section === 'empty' ? undefined : state.shown);
  refresh();
  if (!isElsewhere()) byId(`${section}-title`).focus();
}

/** While conversions begin and end by themselves the user may be at work in the form or in the list of models, and is left there. */
function isElsewhere(): boolean {
  const { tasks, shown } = state;
  const active = document.activeElement as HTMLElement | null;
  if (shown?.byItself) return true;
  return tasks.length > 1 && !!active?.closest('#options, #models, #card') && active.offsetParent !== null;
}

/** Shows again what the page says about all models. */
function refresh(): void {
  const { tasks, shown, taken } = state;
  againButtons.show(tasks, optionsText());
  showModels();
  title.show(tasks);
  showTaken(taken, tasks);
  place.show(tasks.length > 0 || shown !== undefined || state.irs.length > 0);
  showCommand();
  measure();
}

/** Results of other options than those of the form are marked. */
function showModels(): void {
  const { tasks, shown } = state;
  const text = optionsText();
  models.show(tasks, shown, (task) => task.state === 'done' && task.isStale(text));
  const stale = !!shown?.done && (shown.isStale(text) || !tasks.includes(shown));
  const staleness: Staleness = !stale ? 'no' : areQuick(tasks) ? 'soon' : 'yes';
  if (staleness === 'yes' && staleness !== said) say(t('Made with other options. Convert again before you save.'));
  said = staleness;
  showStaleness(byId('done'), staleness);
}

function say(text: Text): void {
  byId('status').textContent = safeText(text);
}

function showCommand(): void {
  const { tasks, shown, extensions, owner } = state;
  bridge.show(tasks.map(({ chosen }) => chosen), (shown ?? tasks[0])?.chosen, extensions.on.map(({ name }) => name), owner);
}

/** The form has got other values, from a command line or an address; `forNext`: for models that are not at hand. */
function filled(forNext: boolean): void {
  markFields(form, []);
  revealFilled(form);
  given(forNext);
}

/** The user has given other options. */
function given(forNext = false): void {
  state = forNext ? step.optionsForNext(state) : step.optionsGiven(state);
  if (state.owner !== undefined) remember(state.owner, ownText(givenIn(form)));
  changed();
}

/** The content of the form has changed. */
function changed(): void {
  configurations.show(field('transformations_config').value);
  weights.show();
  showCommand();
  againButtons.show(state.tasks, optionsText());
  showModels();
  card.changed();
  keeping.changed();
  measure();
  clearTimeout(calm);
  calm = setTimeout(renew, CALM);
}

function forgotten(): void {
  delete field('transformations_config').dataset['file'];
  filled(false);
  say(t('The options have their defaults, and nothing is saved.'));
}

const loadNoModel = () => import('./bring/no-model.js');
const loadExample = () => import('./bring/example.js');

/** Loads all parts of the page. Errors are ignored: the next use of a part reports them. A performance mark says when all have come. */
function loadAhead(): void {
  void Promise.allSettled([prepare(places), loadHelp(), loadArchives(), loadQuestion(), loadNamed(), loadGraph(), loadProofs(), loadSkeletons(), loadLanguages(), loadExample(), loadIrs(), loadNoModel()]).then(() => performance.mark('mo-ready'));
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
byId('example').addEventListener('click', () => void loadExample().then(({ bringExample }) => take(bringExample()), (error: unknown) => fail(t('Not read'), messagesOf(error))));
acceptDrops(byId('overlay'), (brought) => void take(brought));
acceptPastes((brought) => void take(brought));
askBeforeLeaving(() => state.tasks);
form.addEventListener('input', ({ target }) => {
  unmark(target as HTMLElement);
  delete (target as HTMLElement).dataset['file'];
  nameFile(target as HTMLElement, '');
  given();
});
form.addEventListener('written', (event) => {
  for (const name of (event as CustomEvent<readonly string[]>).detail) unmark(field(name));
  given();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  again();
});
byId('cancel').addEventListener('click', cancelShown);
addEventListener('keydown', (event) => event.key === 'Escape' && cancelShown());
state = step.optionsOf(state, ownerOfAddress());
keeping.start((values) => {
  bridge.start(values);
  revealFilled(form);
  changed();
});
loadAhead();
void removeLeftOver();
offerDocuments();
keepOffline((brought) => void take(brought));
