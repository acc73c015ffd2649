// The help pages of messages, docs/errors/<code>.md, held against the table of messages.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './source.mjs';

const FOLDER = 'docs/errors';
const SECTIONS = ['Example', 'Usual causes', 'What to do'];
/** How the command says what its parser refuses. */
const USAGE = 'usage: mo [options] MODEL [MODEL ...]\nmo: error: ';

/** What is wrong with the page of a message, in words. */
function faults({ code, text }, page) {
  const out = [];
  const sections = page.split(/^## /m).slice(1).map((section) => [section.slice(0, section.indexOf('\n')), section]);
  if (!page.startsWith(`# ${code}: ${text}\n\n`)) out.push(`its title is not "${code}: ${text}"`);
  if (sections.map(([title]) => title).join() !== SECTIONS.join()) out.push(`its sections are not ${SECTIONS.join(', ')}`);
  const [example = '', causes = '', fixes = ''] = sections.map(([, section]) => section);
  const shown = [`[ ERROR ]  ${code} ${text}`, `[ WARNING ]  ${code} ${text}`, USAGE];
  if (!shown.some((start) => example.includes(`\n\`\`\`text\n${start}`))) out.push('its example is not the message as it is printed');
  if (!/^- /m.test(causes)) out.push('it has no cause');
  if (!/^```(?:sh|python|js|json|xml)$/m.test(fixes)) out.push('what to do has no command');
  return out;
}

/** Where table and pages differ; an empty list when each message has its page, and no page lacks its message. */
export function errorPageFaults(errors) {
  const files = new Set(readdirSync(join(root, FOLDER)));
  const out = [];
  for (const error of errors) {
    const name = `${error.code}.md`;
    if (files.delete(name)) out.push(...faults(error, read(`${FOLDER}/${name}`)).map((fault) => `${FOLDER}/${name}: ${fault}`));
    else out.push(`${FOLDER}/${name} is missing: each message has a page`);
  }
  return [...out, ...Array.from(files, (name) => `${FOLDER}/${name}: there is no such message`)];
}
