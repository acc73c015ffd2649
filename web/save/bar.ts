/** The buttons that save files together, with the progress and the outcome. */
import { button, fill, h } from '../page/dom.js';
import { t, type LiveText } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { messagesOf } from '../convert/task.js';
import { bytesText } from '../page/text.js';
import { markSaved, sizeOf } from './files.js';
import { canPickFolder, pickFolder, saveToFolder } from './folder.js';
import { offer } from './offer.js';
import { tarOf } from './tar.js';
import { fitsZip, zipOf } from './zip.js';
import type { OutFile, SaveControls } from './out-file.js';

export interface SaveBar {
  readonly element: HTMLElement;
  /** Shows the buttons that fit the present files. They are disabled while files are being saved. */
  refresh(): void;
}

interface Words {
  /** Of the button for a folder: `Save to a folder…`. */
  folder: LiveText;
  /** Of the buttons for archives, by their endings: `Save .tar`. */
  archive: (ending: string) => LiveText;
  /** The archive's name without its ending. */
  name: string;
  /** How the button for a folder looks: the classes of buttons. */
  look: string;
}

/** `files` is called for each save. */
export function saveBar(files: () => readonly OutFile[], { folder, archive, name, look }: Words): SaveBar {
  const buttons = h('div', { class: 'save-buttons' });
  const status = h('div', { class: 'save-status', role: 'status' });
  const element = h('div', { class: 'save' }, buttons, status);
  let busy = false;

  const run = async (work: (files: readonly OutFile[], controls: SaveControls) => Promise<LiveText | undefined>) => {
    const all = files();
    const control = new AbortController();
    const total = sizeOf(all);
    const bar = h('progress', { max: '1', 'aria-label': t('Saved so far') });
    const count = h('span', {});
    busy = true;
    refresh();
    const onBytes = (bytes: number) => {
      bar.value = total === 0 ? 1 : bytes / total;
      fill(count, t('{done} of {total}', { done: bytesText(bytes), total: bytesText(total) }));
    };
    const begin = () => fill(status, bar, count, button(t('Cancel'), 'quiet', () => control.abort()));
    fill(status);
    try {
      const said = await work(all, { signal: control.signal, onBytes: (bytes) => (status.contains(bar) || begin(), onBytes(bytes)) });
      if (said !== undefined) markSaved(all.map(({ download }) => download));
      fill(status, said);
    } catch (error) {
      fill(status, control.signal.aborted ? t('Not saved.') : messageList(messagesOf(error)));
    }
    busy = false;
    refresh();
  };

  const intoFolder = () => run(async (files, controls) => {
    const folder = await pickFolder();
    if (!folder) return undefined;
    await saveToFolder(folder, files, controls);
    return t('Saved in {folder}.', { folder: folder.name });
  });
  const asArchive = (ending: string, pack: (files: readonly OutFile[], controls: SaveControls) => Blob | Promise<Blob>) => () => run(async (files, controls) => {
    offer(await pack(files, controls), name + ending);
    return t('{file} goes where downloads go.', { file: name + ending });
  });
  const all = [
    { element: button(folder, look, () => void intoFolder()), fits: canPickFolder },
    { element: button(archive('.tar'), 'quiet', () => void asArchive('.tar', tarOf)()), fits: () => true },
    { element: button(archive('.zip'), 'quiet', () => void asArchive('.zip', zipOf)()), fits: (now: readonly OutFile[]) => fitsZip(now, sizeOf(now)) },
  ];
  fill(buttons, ...all.map(({ element }) => element));

  function refresh(): void {
    const now = files();
    for (const { element, fits } of all) {
      element.hidden = !fits(now);
      element.disabled = busy;
    }
  }
  refresh();
  return { element, refresh };
}
