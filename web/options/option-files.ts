import type { OptionRow } from '@mo/wasm';

/** Whether the value of an option is a file, or several. */
export function isOfFiles({ kind }: Pick<OptionRow, 'kind'>): boolean {
  return kind === 'Path' || kind === 'Files';
}

/** A file that a pasted command line names. A page cannot open it: it has to be among those that come with the model. */
export class NamedFile {
  constructor(readonly path: string) {}

  toString(): string {
    return this.path;
  }
}

/** The names, without folders, of the files that the fields stand for. */
export function namesIn(form: HTMLFormElement): ReadonlySet<string> {
  return new Set(Array.from(form.querySelectorAll<HTMLElement>('[data-named]'), ({ dataset }) => dataset['named']!.split(/[/\\]/).at(-1)!));
}

/** The field of a file stands for the one that is named, until another is chosen; '' takes the name away. */
export function nameFile(field: HTMLElement, path: string): void {
  if (path === '') delete field.dataset['named'];
  else field.dataset['named'] = path;
  const shown = field.parentElement?.querySelector<HTMLElement>('.named');
  if (!shown) return;
  shown.hidden = path === '';
  shown.textContent = path;
}
