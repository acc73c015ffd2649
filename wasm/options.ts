/** A size, `-1` or `?` for any, or an interval such as `1..8`. */
export type Dimension = number | string;

/** What to convert and how. Names and values are those of the command line. */
export interface Options {
  /** The name of the network, and of the files; the model's file name without its extension by default. */
  model_name?: string;
  /** One shape, or one for each input: `[1, 3, 224, 224]`, `[[1, 128], [1, 128]]`, or as text `'[1,3,224,224]'`. */
  input_shape?: string | readonly Dimension[] | readonly (readonly Dimension[])[];
  /** Store f32 and f64 weights as f16. Off by default. */
  compress_to_fp16?: boolean;
  /** Fold everything that only depends on the shapes of the inputs. Off by default. */
  static_shape?: boolean;
}

/** The options as the core takes them; unset ones are left out. */
export function toText(options: Options): [name: string, value: string][] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, valueText(value)]);
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (!Array.isArray(value)) return String(value);
  const nested = value.some(Array.isArray);
  return nested ? value.map(valueText).join(',') : `[${value.join(',')}]`;
}
