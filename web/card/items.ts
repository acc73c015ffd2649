/** Lists as options write them, read as the core reads them: `image[1,3,8,8]{f16}->1, other`, `data(1,2),info[4]`. */

export interface InputItem {
  /** The name of an input, tensor or node, with a port or without. */
  place: string;
  /** With its brackets; empty if there is none, as the fields below. */
  shape: string;
  type: string;
  value: string;
}

/** The parts of the text between commas that are outside brackets. */
export function splitItems(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; ++at) {
    const letter = text[at]!;
    if (letter === '[' || letter === '(') ++depth;
    else if ((letter === ']' || letter === ')') && depth > 0) --depth;
    else if (letter === ',' && depth === 0) {
      items.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  if (text.trim() !== '') items.push(text.slice(begin).trim());
  return items;
}

/** Shapes or numbers as `splitItems` gives them; a list without brackets is one item: `1x3x224x224`, `0.485 0.456 0.406`. */
export function splitLists(text: string): string[] {
  return text.trim() === '' || /[[\](){}]/.test(text) ? splitItems(text) : [`[${text.trim()}]`];
}

/** How many sizes are in a shape without its brackets: `1,3,8,8`, `1 3 8 8`, `1x3x8x8`. */
export function countSizes(shape: string): number {
  return shape.split(/[,xX*×\s]+/).filter((size) => size !== '').length;
}

/** An item of `--input`; undefined where its name is missing. */
export function readInput(item: string): InputItem | undefined {
  const [left = '', value = ''] = item.split('->', 2).map((part) => part.trim());
  const type = /\{([^{}]*)\}/.exec(left);
  const rest = type ? left.replace(type[0], '') : left;
  const shape = /[[(](?:[\d.?, -]*|\s*[\d.?-][\d.?,xX*× -]*[\d.?]\s*)[\])]/.exec(rest);
  const place = (shape ? rest.replace(shape[0], '') : rest).trim();
  return place === '' ? undefined : { place, shape: shape?.[0] ?? '', type: type?.[1]?.trim() ?? '', value };
}

export function writeInput({ place, shape, type, value }: InputItem): string {
  return `${place}${shape}${type && `{${type}}`}${value && `->${value}`}`;
}

/** `name(content)`, `name[content]`, or the content in brackets alone; undefined for anything else. */
export function readNamed(item: string): { name: string; content: string } | undefined {
  const close = item.at(-1);
  const open = close === ')' ? item.lastIndexOf('(') : close === ']' ? item.lastIndexOf('[') : -1;
  return open < 0 ? undefined : { name: item.slice(0, open).trim(), content: item.slice(open + 1, -1).trim() };
}

/** The layouts of an item: `name(nchw->nhwc)`, `name[n,c]->[c,n]`, or the layouts alone. */
export function readLayout(item: string): { name: string; source: string; target: string } {
  const whole = item.endsWith(')') ? readNamed(item) : undefined;
  const open = item.indexOf('[');
  const bare = !whole && open > 0 && !item.slice(0, open).includes('->');
  const name = whole?.name ?? (bare ? item.slice(0, open).trim() : '');
  const sides = whole?.content ?? (bare ? item.slice(open) : item);
  const [source = '', target = ''] = sides.split('->', 2).map((side) => side.trim());
  return { name, source, target };
}

export function writeLayout(source: string, target: string): string {
  return target === '' ? source : `${source}->${target}`;
}

/** Whether options can name it: commas, brackets and arrows have a meaning of their own there. */
export function canBeNamed(name: string): boolean {
  return name !== '' && name === name.trim() && !/[,[\](){}]|->/.test(name);
}
