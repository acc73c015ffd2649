import type { Options } from '@mo/wasm';

/** The options from the form. */
export function readOptions(form: HTMLFormElement): Options {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const options: Options = { compress_to_fp16: data.has('compress_to_fp16') };
  if (data.has('static_shape')) options.static_shape = true;
  if (text('model_name')) options.model_name = text('model_name');
  for (const name of ['input_shape', 'enabled_transforms', 'disabled_transforms', 'transformations_config'] as const)
    if (text(name)) Object.assign(options, { [name]: text(name) });
  return options;
}

/** The command that does the same, in parts that must not be broken across lines. */
export function commandLine(file: string, { compress_to_fp16, transformations_config, ...options }: Options, extensions: readonly string[]): string[] {
  const words = Object.entries(options).map(([name, value]) => (value === true ? `--${name}` : `--${name} ${quoted(String(value))}`));
  if (transformations_config) words.push('--transformations_config config.json');
  if (extensions.length > 0) words.push(`--extensions ${extensions.map(quoted).join(',')}`);
  if (!compress_to_fp16) words.push('--compress_to_fp16=False');
  return ['npx @mo/wasm', quoted(file), ...words];
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
