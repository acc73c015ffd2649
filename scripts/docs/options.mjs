// The tables of docs/options.md. The examples are lines of tests/js/command_lines.json, so a test runs them.
import { escape, GROUPS, read, table, tables } from './source.mjs';

const rows = JSON.parse(read('tests/js/command_lines.json'));

/** What the command answers itself. */
const ANSWERS = [
  ['`--help`, `-h`', '', '', 'Print what the options are.', '`mo --help`'],
  ['`--version`, `-V`', '', '', 'Print the version.', '`mo --version`'],
];

/** A line that succeeds with the option: the first one with what its help asks for and a model of its framework, else the first one. */
function example({ name, group, help }) {
  const has = (line) => line.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const lines = rows.filter(({ exit, line }) => exit === 0 && has(line));
  const [, needed = ''] = /^With (--[^:]*):/.exec(help) ?? [];
  const suits = ({ line }) => line.join(' ').includes(needed) && line.some((word) => word.startsWith(`${group.toLowerCase()}/`));
  const first = lines.find(suits) ?? lines.find(({ line }) => line.join(' ').includes(needed)) ?? lines[0];
  if (!first) throw new Error(`no line of tests/js/command_lines.json succeeds with --${name}`);
  return `\`mo ${escape(first.line.map(quoted).join(' '))}\``;
}

function quoted(word) {
  return /^[\w./=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function optionTables() {
  return GROUPS.map(([group, title]) => {
    const options = tables.options.filter((option) => option.group === group && option.scope !== 'Waiting');
    if (options.length === 0) return '';
    const cells = options.map((option) => [
      [`--${option.name}`, ...option.short.split(' ').filter(Boolean).map((name) => `-${name}`)].map((name) => `\`${name}\``).join(', '),
      option.kind === 'Switch' ? '' : `\`${escape(option.value)}\``,
      option.default && `\`${option.default}\``,
      escape(option.help),
      example(option),
    ]);
    if (group === 'Agnostic') cells.push(...ANSWERS);
    return `## ${title}\n\n${table(['option', 'value', 'default', 'meaning', 'example'], cells)}\n`;
  }).filter(Boolean).join('\n');
}

/** The options that this build knows and answers, but does not carry out. */
export function waitingOptions() {
  return tables.options.filter(({ scope }) => scope === 'Waiting').map(({ name }) => `\`--${name}\``).join(', ');
}
