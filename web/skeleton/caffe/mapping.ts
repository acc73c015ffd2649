/** The mapping of custom layers of a skeleton: what it says of types that the network has. */

const ATTRIBUTES = ['NativeType', 'hasParam', 'protoParamName'];
const WORD = /^\w{1,64}$/;

/** `types` are those of the layers. */
export function mappingOf(xml: string, types: ReadonlySet<string>): string {
  const known = new Set(Array.from(types, (type) => type.toLowerCase()));
  const lines: string[] = [];
  for (const [, content] of xml.replaceAll(/<!--[^]*?-->/g, '').matchAll(/<CustomLayer\s([^<>]*)>/g)) {
    const given = new Map(Array.from(content!.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g), ([, name, value, other]) => [name!, value ?? other!]));
    if (!known.has((given.get('NativeType') ?? '').toLowerCase())) continue;
    const kept = ATTRIBUTES.filter((name) => WORD.test(given.get(name) ?? '')).map((name) => `${name}="${given.get(name)}"`);
    lines.push(`  <CustomLayer ${kept.join(' ')}/>\n`);
  }
  return `<CustomLayersMapping>\n${lines.join('')}</CustomLayersMapping>\n`;
}
