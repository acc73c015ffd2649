// The search of the documents: sections in which all words occur, best first. Headings count more than text. Everything is made as elements and
// texts, as the policy wants it.
const LIMIT = 40;
const BEFORE = 60;
const AFTER = 140;

const sections = globalThis.moSections.map(([address, page, title, text]) => ({ address, page, title, text, low: `${page}\n${title}\n${text}`.toLowerCase() }));

/** How well a section fits; 0 if a word is missing. */
function score({ address, page, title, low }, words) {
  let sum = 0;
  for (const word of words) {
    if (!low.includes(word)) return 0;
    sum += 1 + (title.toLowerCase().includes(word) ? 8 : 0) + (page.toLowerCase().includes(word) ? 4 : 0) + (title.toLowerCase() === word ? 20 : 0);
  }
  // The guide comes before the lists of types.
  return address.startsWith('api/') ? sum / 4 : sum;
}

/** The text around the first of the words that occurs in it. */
function excerpt({ text }, words) {
  const low = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => low.indexOf(word)).filter((place) => place >= 0), text.length));
  const start = at === text.length ? 0 : Math.max(0, at - BEFORE);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + BEFORE + AFTER)}${start + BEFORE + AFTER < text.length ? '…' : ''}`;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const field = element('input', { type: 'search', id: 'words', class: 'search-field', autocomplete: 'off', spellcheck: 'false' });
const count = element('p', { role: 'status', class: 'search-count' });
const list = element('ol', { class: 'search-list' });

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = words.length === 0 ? [] : sections.map((section) => [score(section, words), section]).filter(([points]) => points > 0).sort(([a], [b]) => b - a);
  count.textContent = words.length === 0 ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} ${found.length === 1 ? 'section' : 'sections'}${found.length > LIMIT ? `, the first ${LIMIT}` : ''}`;
  list.replaceChildren(...found.slice(0, LIMIT).map(([, section]) => element('li', {},
    element('a', { href: section.address }, section.title === section.page ? section.title : `${section.page}: ${section.title}`),
    element('p', {}, excerpt(section, words)))));
  history.replaceState(null, '', words.length === 0 ? location.pathname : `#${encodeURIComponent(field.value)}`);
}

field.addEventListener('input', search);
const place = document.querySelector('main .vp-doc > div') ?? document.querySelector('main');
place.append(element('label', { for: 'words' }, 'Search the documents'), field, count, list);
try {
  field.value = decodeURIComponent(location.hash.slice(1));
} catch {
  // The address has another fragment.
}
search();
field.focus();
