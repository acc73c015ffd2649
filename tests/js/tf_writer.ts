/** Writes small graphs of TensorFlow as text. */

/** A NodeDef; `attributes` are the texts of their values: `{ T: 'type: DT_FLOAT' }`. */
export function tfNode(name: string, op: string, inputs: readonly string[] = [], attributes: Readonly<Record<string, string>> = {}): string {
  const fields = [`name: "${name}"`, `op: "${op}"`, ...inputs.map((input) => `input: "${input}"`),
    ...Object.entries(attributes).map(([key, value]) => `attr { key: "${key}" value { ${value} } }`)];
  return `node { ${fields.join(' ')} }\n`;
}

export const T = { T: 'type: DT_FLOAT' };
export const tfShape = (...sizes: number[]): string => `{ ${sizes.map((size) => `dim { size: ${size} }`).join(' ')} }`;
export const tfInput = (name: string, ...shape: number[]): string => tfNode(name, 'Placeholder', [], { dtype: 'type: DT_FLOAT', shape: `shape ${tfShape(...shape)}` });

/** A Const; `values` are fields of a TensorProto, such as "float_val: 1". */
export const tfConst = (name: string, type: string, shape: readonly number[], values: string): string =>
  tfNode(name, 'Const', [], { dtype: `type: ${type}`, value: `tensor { dtype: ${type} tensor_shape ${tfShape(...shape)} ${values} }` });

export const textBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
