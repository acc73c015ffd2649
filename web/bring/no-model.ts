/** What is said of files among which no model is. */
import { FORMATS, type Message } from '@mo/wasm';
import { asTemplate, msg, withDetail } from '@mo/wasm/msg';

import { ExtensionsUnreadable, NoModel, NotJavaScript } from '../report/codes.js';
import { pageMessage } from '../report/page-message.js';
import type { Taken } from './taken.js';

const FORMATS_READ = FORMATS.filter(({ reads }) => reads).map(({ title, endings }) => `${title} (${endings.join(' ')})`).join(', ');

/** What the files are, if that is known. */
export function noModel({ kinds, roles }: Pick<Taken, 'kinds' | 'roles'>): readonly Message[] {
  const strays = [...roles].filter(([, role]) => role === 'stray').map(([{ path }]) => pageMessage(ExtensionsUnreadable,
    withDetail('the extensions cannot be read', msg`their modules must be in the folders ops, front, middle or back`), 'put the module into such a folder, and drop the folder that contains it', path));
  const python = [...roles].filter(([, role]) => role === 'Python').map(([{ path }]) => pageMessage(NotJavaScript, asTemplate('extensions are JavaScript modules'), 'write it in JavaScript', path));
  const known = [...kinds.values(), ...strays, ...python];
  if (known.length > 0) return known;
  return [pageMessage(NoModel, msg`none of these files is a model of a format that is read here: ${FORMATS_READ}`, 'bring the model file together with its data files')];
}
