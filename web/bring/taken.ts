import type { FileWithPath, Message } from '@mo/wasm';

import { isTemplate, textOf, asTemplate } from '@mo/wasm/msg';

import { isArchive } from '../archive/names.js';
import { PackedBlob } from '../archive/packed.js';
import { byPath } from '../archive/paths.js';
import { chooseModels, folderOf, guessModel, isJson, isOther, partsOf, type Chosen } from './chosen.js';
import { byId, fill, h, namesList, type Child } from '../page/dom.js';
import type { Brought } from './brought.js';
import { isPython, isStray, modulesOf } from './extensions.js';
import { hintText, templateText } from '../language/messages.js';
import { listText, plural, t, type LiveText } from '../language/texts.js';
import { messageList, unreadable } from '../report/messages.js';
import { pauses, sortedInParts } from '../page/pauses.js';
import type { Task } from '../convert/task.js';

/** No configuration is larger; vocabularies of language models, which are JSON as well, can be. */
const LARGEST_CONFIG = 1 << 24;
/** Of more JSON files than this none is a configuration. */
const MOST_LOOKS = 1000;
const SHOWN_FILES = 50;
/** So many files may be an IR that the core does not recognise. */
const FEW = 2;

export const loadIrs = () => import('../ir/view.js');

type Role = 'model' | 'extension' | 'configuration' | 'second configuration' | 'JSON' | 'other format' | 'part' | 'unwanted' | 'archive' | 'stray' | 'Python' | 'known' | 'side';

/** Models first, then what they take with them, then what is ignored. */
enum Rank { Model, Part, Data, Extensions, Configuration, LeftOut, NotNeeded, NotRead, Ignored }

/** What to do about it follows the files. */
type Group = readonly [rank: Rank, title: LiveText, hint?: LiveText];

const MODEL: Group = [Rank.Model, t('Model')];

const GROUPS: Record<Exclude<Role, 'model' | 'known' | 'side'>, Group> = {
  stray: [Rank.NotRead, t('Not read: extensions'), t('Their modules must be in the folders ops, front, middle or back, such as my_extensions/front/mine.js.')],
  Python: [Rank.NotRead, t('Not read: extensions in Python'), t('Write them in JavaScript: the documents show each kind in both languages.')],
  extension: [Rank.Extensions, t('Extensions')],
  configuration: [Rank.Configuration, t('Configuration')],
  'second configuration': [Rank.Ignored, t('Ignored: another configuration came first')],
  JSON: [Rank.Ignored, t('Ignored: JSON, but no transformations configuration')],
  part: [Rank.Part, t('Part of a model that is a folder')],
  unwanted: [Rank.LeftOut, t('Left out: not chosen')],
  archive: [Rank.Ignored, t('Ignored: archives in folders and in archives')],
  'other format': [Rank.Ignored, t('Ignored: models of formats that are not read here')],
};

/** The files that came, and what each of them is used as. */
export interface Taken {
  models: Chosen[];
  /** IRs with their .bin, where no model is. */
  irs: Chosen[];
  modules: FileWithPath[];
  /** Modules that are off until the user switches them on. */
  held: FileWithPath[];
  /** Nothing begins before the user presses a button. */
  sent: boolean;
  /** A transformations configuration. */
  config: { path: string; text: string } | undefined;
  /** All files but modules and configurations: models, their data, and files that nothing needs. */
  rest: FileWithPath[];
  roles: Map<FileWithPath, Role>;
  /** What files are that belong to no model, and what to do, as far as their bytes tell. */
  kinds: ReadonlyMap<string, Message>;
  errors: Message[];
}

/** `mends`: models at hand lack files. Then files that are no models are for those, and no model is guessed. */
export async function takeFor({ files, errors: unread, sent = false, packed }: Brought, mends: boolean): Promise<Taken> {
  const modules = new Set(await modulesOf(files));
  const isHeld = (file: FileWithPath) => sent || packed?.has(file) === true;
  const taken: Taken = { models: [], irs: [], modules: [...modules].filter((file) => !isHeld(file)), held: [...modules].filter(isHeld), sent, config: undefined, rest: [], roles: new Map(), kinds: new Map(), errors: [...unread] };
  const { rest, roles, errors } = taken;
  const pause = pauses();
  let looks = 0;
  for (const file of await sortedInParts(files, byPath)) {
    await pause();
    if (modules.has(file)) {
      roles.set(file, 'extension');
      continue;
    }
    try {
      const text = isJson(file) && looks++ < MOST_LOOKS ? await configText(file) : undefined;
      if (text === undefined) rest.push(file);
      else roles.set(file, taken.config === undefined ? 'configuration' : 'second configuration');
      if (text !== undefined) taken.config ??= { path: file.path, text };
    } catch (error) {
      errors.push(unreadable('file', file.path, error));
    }
  }
  const found = await chooseModels(rest);
  Object.assign(taken, { models: found.models, kinds: found.recognised });
  let alone = taken.models.length === 0 && modules.size === 0 && taken.config === undefined && !mends && !rest.some(({ path }) => isStray(path) || isPython(path));
  if (found.recognised.size > 0 || (alone && rest.length <= FEW)) {
    const irs = (await loadIrs()).irsIn(taken, alone);
    Object.assign(taken, irs);
    alone &&= !irs.isLone;
  }
  const guess = alone && (rest.length === 1 || found.recognised.size === 0) ? guessModel(rest) : undefined;
  if (guess) taken.models.push(guess);
  const mains = new Set(taken.models.map(({ main }) => main));
  const isPart = partsOf(taken.models);
  for (const file of rest) {
    roles.set(file, isPart(file) ? 'part' : mains.has(file) ? 'model' : found.recognised.has(file.path) && !isArchive(file.path) ? 'known' : roleBeside(file));
    await pause();
  }
  return taken;
}

/** The role of a file that may have been a model alone. */
export function roleAmong(models: readonly Chosen[], file: FileWithPath, role: Role): Role {
  if (models.some(({ main }) => main === file)) return 'model';
  return role === 'model' && models.some(({ side }) => side.includes(file)) ? 'side' : role;
}

function roleBeside(file: FileWithPath): Role {
  if (isJson(file)) return 'JSON';
  if (isArchive(file.path)) return 'archive';
  if (isStray(file.path)) return 'stray';
  if (isPython(file.path)) return 'Python';
  return isOther(file) ? 'other format' : 'side';
}

/** The text of a transformations configuration: a list whose entries have a `match_kind`. Other JSON is none. */
async function configText({ file }: FileWithPath): Promise<string | undefined> {
  if (file.size > LARGEST_CONFIG) return undefined;
  const text = await file.text();
  return isConfig(text) ? text : undefined;
}

function isConfig(text: string): boolean {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) && entries.length > 0 && entries.every((entry) => Object(entry).match_kind !== undefined);
  } catch {
    return false;
  }
}

/** What was shown last. With very many files it takes a while. */
let shown: { taken?: unknown; tasks?: unknown; look?: string } = {};

/**
 * Shows above the result what each file is used as, except for several models, which have a list of their own. Which files are data of a
 * model is known only after its conversion.
 */
export function showTaken(taken: Pick<Taken, 'roles' | 'errors' | 'kinds'>, tasks: readonly Task[]): void {
  const look = tasks.map(({ state }) => state).join();
  if (shown.taken === taken && shown.tasks === tasks && shown.look === look) return;
  shown = { taken, tasks, look };
  const { roles, errors, kinds } = taken;
  const groups = new Map<string, { group: Group; paths: string[]; count: number }>();
  const users = usersOf(tasks);
  const groupOf = grouping(tasks);
  for (const [file, role] of roles) {
    if (role === 'model' && tasks.length > 1) continue;
    const [key, group] = groupOf(role, users.get(file), kinds.get(file.path));
    const known = groups.get(key);
    if (!known) groups.set(key, { group, paths: [file.path], count: 1 });
    else if (++known.count <= SHOWN_FILES) known.paths.push(file.path);
  }
  const order = [...groups.values()].sort(({ group: [a] }, { group: [b] }) => a - b);
  const plain = groups.size === 0 || (roles.size === 1 && order[0]!.group === MODEL);
  const section = byId('taken');
  section.hidden = errors.length === 0 && plain;
  fill(
    section,
    errors.length > 0 && messageList(errors),
    !plain && h('dl', {}, ...order.map(({ group: [, title, hint], paths, count }) =>
      h('div', {}, h('dt', {}, title), h('dd', {}, ...names(paths, count), hint && h('small', {}, hint))))),
  );
}

/** A function that gives the group of a file, which is found once for all files that are alike. */
function grouping(tasks: readonly Task[]): (role: Role, users: readonly Task[] | undefined, kind: Message | undefined) => [key: string, group: Group] {
  const found = new Map<unknown, [string, Group]>();
  return (role, users, kind) => {
    const alike = users && role !== 'model' ? users.map(({ path }) => path).join('\n') : role === 'known' ? `known ${kind!.text} ${kind!.hint}` : role;
    let one = found.get(alike);
    if (!one) {
      const group = users === undefined && role === 'known' ? groupOfKind(kind!) : groupFor(role, users ?? [], tasks);
      found.set(alike, (one = [`${group[0]} ${group[1]}`, group]));
    }
    return one;
  };
}

/** The sentence of a message says what is wrong with a model. Here the detail, what the file is, says enough. */
function groupOfKind(message: Message): Group {
  const [, detail] = message.arguments;
  const what = isTemplate(detail) ? detail : asTemplate(textOf(message));
  return [Rank.NotRead, t('Not a model that is read here: {kind}', { kind: templateText(what) }), hintText(message)];
}

function groupFor(role: Role, users: readonly Task[], tasks: readonly Task[]): Group {
  if (role === 'model') return MODEL;
  if (users.length > 0) return [Rank.Data, t('Data of {models}', { models: listText(users.map(({ path, name }) => (tasks.length > 1 ? path : name))) })];
  if (role !== 'side' && role !== 'known') return GROUPS[role];
  const open = tasks.length === 0 || tasks.some(({ state }) => state !== 'done');
  if (open) return [Rank.NotNeeded, t('Not needed so far')];
  return [Rank.Ignored, tasks.length > 1 ? t('Ignored: not named in the models') : t('Ignored: not named in the model')];
}

/** The models whose conversions have read a file, or which need it by what their format says. */
function usersOf(tasks: readonly Task[]): Map<FileWithPath, Task[]> {
  const users = new Map<FileWithPath, Task[]>();
  for (const task of tasks) {
    const { chosen, done } = task;
    const folder = folderOf(chosen.main.path);
    // Files outside the model's folder have their whole paths.
    const read = new Set(done ? done.files.flatMap((path) => [folder + path, path]) : chosen.companions.flatMap(({ files }) => files));
    if (read.size === 0) continue;
    for (const file of chosen.side) {
      if ((done && file.file instanceof PackedBlob && !file.file.isAsked) || !read.has(file.path)) continue;
      users.set(file, [...(users.get(file) ?? []), task]);
    }
  }
  return users;
}

/** The first names of `count`. */
function names(paths: readonly string[], count: number): Child[] {
  const more = count - paths.length;
  return [...namesList(paths), more > 0 && ' ', more > 0 && plural(more, 'and {n} more file', 'and {n} more files')];
}
