/**
 * A text as a template and its arguments, as the core's messages have them: `{}` in the template stands for the next argument. Arguments are
 * names, numbers and other texts that are the same in every language, or templates themselves.
 */
export interface Template {
  readonly template: string;
  readonly arguments: readonly (string | Template)[];
}

/**
 * The text of a message as a tagged template: msg`the file "${name}" is empty`. What stands in its places are the arguments.
 *
 * @example
 * ```js
 * import { msg, textOf } from '@mo/wasm/msg';
 *
 * const name = 'conv1';
 * console.log(textOf(msg`the node "${name}" is empty`));
 * ```
 */
export function msg(words: readonly string[], ...values: readonly (Template | string | number | undefined | null)[]): Template {
  return { template: words.join('{}'), arguments: values.map((value) => (isTemplate(value) ? value : String(value))) };
}

/**
 * A text of a table as a template without arguments.
 *
 * @example
 * ```js
 * import { asTemplate, textOf } from '@mo/wasm/msg';
 *
 * textOf(asTemplate('the file is empty')); // 'the file is empty'
 * ```
 */
export const asTemplate = (text: string): Template => ({ template: text, arguments: [] });

/**
 * `sentence: detail`.
 *
 * @example
 * ```js
 * import { asTemplate, textOf, withDetail } from '@mo/wasm/msg';
 *
 * textOf(withDetail('the file cannot be read', asTemplate('it is empty'))); // 'the file cannot be read: it is empty'
 * ```
 */
export const withDetail = (sentence: string, detail: Template): Template => msg`${asTemplate(sentence)}: ${detail}`;

/**
 * In English.
 *
 * @example
 * ```js
 * import { textOf } from '@mo/wasm/msg';
 *
 * textOf({ template: 'the file "{}" is empty', arguments: ['a.onnx'] }); // 'the file "a.onnx" is empty'
 * ```
 */
export function textOf({ template, arguments: given }: Template): string {
  return template.split('{}').map((part, index) => {
    const argument = index > 0 ? given[index - 1] : '';
    return (isTemplate(argument) ? textOf(argument) : (argument ?? '')) + part;
  }).join('');
}

/**
 * Whether an argument of a template is one itself.
 *
 * @example
 * ```js
 * import { isTemplate } from '@mo/wasm/msg';
 *
 * isTemplate('a name'); // false
 * ```
 */
export const isTemplate = (value: unknown): value is Template => typeof value === 'object' && value !== null && 'template' in value;
