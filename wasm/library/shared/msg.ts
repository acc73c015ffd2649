/**
 * A text as a template and its arguments, as the core's messages have them: `{}` in the template stands for the next argument. Arguments are
 * names, numbers and other texts that are the same in every language, or templates themselves.
 */
export interface Template {
  readonly template: string;
  readonly arguments: readonly (string | Template)[];
}

/** The text of a message as a tagged template: msg`the file "${name}" is empty`. What stands in its places are the arguments. */
export function msg(words: readonly string[], ...values: readonly (Template | string | number | undefined | null)[]): Template {
  return { template: words.join('{}'), arguments: values.map((value) => (isTemplate(value) ? value : String(value))) };
}

/** A text of a table as a template without arguments. */
export const asTemplate = (text: string): Template => ({ template: text, arguments: [] });

/** `sentence: detail`. */
export const withDetail = (sentence: string, detail: Template): Template => msg`${asTemplate(sentence)}: ${detail}`;

/** In English. */
export function textOf({ template, arguments: given }: Template): string {
  return template.split('{}').map((part, index) => {
    const argument = index > 0 ? given[index - 1] : '';
    return (isTemplate(argument) ? textOf(argument) : (argument ?? '')) + part;
  }).join('');
}

export const isTemplate = (value: unknown): value is Template => typeof value === 'object' && value !== null && 'template' in value;
