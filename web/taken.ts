import type { FileWithPath, Message } from '@mo/wasm';

import { isArchive } from './archive/names.js';
import { byPath, chooseModels, folderOf, guessModel, isJson, isOther, isPart, type Chosen } from './chosen.js';
import { byId, fill, h } from './dom.js';
import type { Brought } from './brought.js';
import { modulesOf } from './extensions.js';
import { messageList, unreadable } from './messages.js';
import type { Task } from './task.js';
import { countText } from './text.js';

/** No configuration is larger; vocabularies of language models, which are JSON as well, can be. */
const LARGEST_CONFIG = 1 << 24;
const SHOWN_FILES = 50;

type Role = 'model' | 'extension' | 'configuration' | 'second configuration' | 'JSON' | 'other format' | 'part' | 'unwanted' | 'archive' | 'side';

const TITLES: Record<Exclude<Role, 'model' | 'side'>, string> = {
  extension: 'Extensions',
  configuration: 'Configuration',
  'second configuration': 'Ignored: another configuration came first',
  JSON: 'Ignored: JSON, but no transformations configuration',
  part: 'Part of a model that is a folder',
  unwanted: 'Left out: not chosen',
  archive: 'Ignored: archives in folders and in archives',
  'other format': 'Ignored: models of formats that are not read here',
};

/** What came, and what each file is taken for. */
export interface Taken {
  models: Chosen[];
  modules: FileWithPath[];
  /** A transformations configuration. */
  config: { path: string; text: string } | undefined;
  /** What is none of these: data of models, or nothing that is needed. */
  rest: FileWithPath[];
  roles: Map<FileWithPath, Role>;
  errors: Message[];
}

/** `mends`: models at hand lack files, so that what is no model is for them. */
export async function takeFor({ files, errors: unread }: Brought, mends: boolean): Promise<Taken> {
  const modules = new Set(modulesOf(files));
  const taken: Taken = { models: [], modules: [...modules], config: undefined, rest: [], roles: new Map(), errors: [...unread] };
  const { rest, roles, errors } = taken;
  for (const file of [...files].sort(byPath)) {
    if (modules.has(file)) {
      roles.set(file, 'extension');
      continue;
    }
    try {
      const text = isJson(file) ? await configText(file) : undefined;
      if (text === undefined) rest.push(file);
      else roles.set(file, taken.config === undefined ? 'configuration' : 'second configuration');
      if (text !== undefined) taken.config ??= { path: file.path, text };
    } catch (error) {
      errors.push(unreadable('file', file.path, error));
    }
  }
  taken.models = chooseModels(rest);
  const alone = taken.models.length === 0 && modules.size === 0 && taken.config === undefined && !mends;
  const guess = alone ? guessModel(rest) : undefined;
  if (guess) taken.models.push(guess);
  const mains = new Set(taken.models.map(({ main }) => main));
  for (const file of rest) roles.set(file, isPart(file, taken.models) ? 'part' : mains.has(file) ? 'model' : roleBeside(file));
  return taken;
}

function roleBeside(file: FileWithPath): Role {
  if (isJson(file)) return 'JSON';
  if (isArchive(file.path)) return 'archive';
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

/**
 * Says above the result what each file is taken for; several models have a list of their own. Which files are data of a
 * model is known once that is converted.
 */
export function showTaken({ roles, errors }: Pick<Taken, 'roles' | 'errors'>, tasks: readonly Task[]): void {
  const groups = new Map<string, string[]>();
  for (const [file, role] of roles) {
    if (role === 'model' && tasks.length > 1) continue;
    const title = titleOf(file, role, tasks);
    groups.set(title, [...(groups.get(title) ?? []), file.path]);
  }
  const order = [...groups].sort(([a], [b]) => rank(a) - rank(b));
  const plain = groups.size === 0 || (roles.size === 1 && groups.has('Model'));
  const section = byId('taken');
  section.hidden = errors.length === 0 && plain;
  fill(
    section,
    errors.length > 0 && messageList(errors),
    !plain && h('dl', {}, ...order.map(([title, paths]) =>
      h('div', {}, h('dt', {}, title), h('dd', {}, ...names(paths))))),
  );
}

function titleOf(file: FileWithPath, role: Role, tasks: readonly Task[]): string {
  if (role === 'model') return 'Model';
  const users = tasks.filter((task) => uses(task, file)).map(({ path, name }) => (tasks.length > 1 ? path : name));
  if (users.length > 0) return `Data of ${users.join(', ')}`;
  if (role !== 'side') return TITLES[role];
  const open = tasks.length === 0 || tasks.some(({ state }) => state !== 'done');
  return open ? 'Not needed so far' : `Ignored: not named in ${tasks.length > 1 ? 'the models' : 'the model'}`;
}

/** Whether the conversion has read the file. */
function uses({ chosen, done }: Task, file: FileWithPath): boolean {
  const folder = folderOf(chosen.main.path);
  const path = file.path.startsWith(folder) ? file.path.slice(folder.length) : file.path;
  return done !== undefined && done.files.includes(path) && chosen.side.includes(file);
}

/** Models first, then what they take with them, then what is ignored. */
function rank(title: string): number {
  return ['Model', 'Part', 'Data', 'Extensions', 'Configuration', 'Left out', 'Not', 'Ignored'].findIndex((start) => title.startsWith(start));
}

function names(paths: readonly string[]): (Node | string)[] {
  const shown = paths.slice(0, SHOWN_FILES).flatMap((path, index) => [index > 0 ? ', ' : '', h('code', {}, path)]);
  const more = paths.length - SHOWN_FILES;
  return more > 0 ? [...shown, ` and ${countText(more, 'more file')}`] : shown;
}
