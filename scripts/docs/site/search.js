// The search of the documents: sections in which all words occur, best first. Headings count more than text. Everything is made as elements and
// texts, as the policy wants it. A page of another language finds the English pages, too, that there are in no other language, behind its own.
const ENGLISH = 'en';
const TEXTS = {
  en: {
    label: 'Search the documents',
    none: 'Nothing found.',
    found: (count, limit) => `${count} ${count === 1 ? 'section' : 'sections'}${count > limit ? `, the first ${limit}` : ''}`,
    within: ': ',
  },
  'zh-Hans': {
    label: '搜索文档',
    none: '未找到结果。',
    found: (count, limit) => `找到 ${count} 处${count > limit ? `，这里是前 ${limit} 处` : ''}`,
    within: '：',
  },
};
const language = document.documentElement.lang;
const texts = TEXTS[language];
/** Addresses of the index begin at the site's folder. */
const site = new URL('..', document.currentScript.src);

const LIMIT = 40;
const BEFORE = 60;
const AFTER = 140;

const own = new Set(globalThis.moSections[language].map(([address]) => address.replace(/#.*/, '')));
const isShown = (tag, address) => tag === language || !own.has(`${language}/${address.replace(/#.*/, '')}`);
const sections = Object.entries(globalThis.moSections).flatMap(([tag, rows]) => rows.filter(([address]) => isShown(tag, address))
  .map(([address, page, title, text]) => ({ tag, address, page, title, text, low: `${page}\n${title}\n${text}`.toLowerCase() })));

/** Han is written without spaces: its words are found by the browser, or are the parts between other letters. */
const HAN = /\p{Script=Han}+/gu;
const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter('zh-Hans', { granularity: 'word' });
const wordsOf = (text) => text.toLowerCase()
  .replaceAll(HAN, (han) => ` ${segmenter ? Array.from(segmenter.segment(han), ({ segment }) => segment).join(' ') : han} `)
  .split(/[\s，。、：；（）“”]+/).filter((word) => word !== '');

/** How well a section fits; 0 if a word is missing. */
function score({ tag, address, page, title, low }, words, whole) {
  // The words as they were typed, one behind the other, count like a title.
  let sum = words.length > 1 && low.includes(whole) ? 8 : 0;
  for (const word of words) {
    if (!low.includes(word)) return 0;
    sum += 1 + (title.toLowerCase().includes(word) ? 8 : 0) + (page.toLowerCase().includes(word) ? 4 : 0) + (title.toLowerCase() === word ? 20 : 0);
  }
  // The guide comes before the lists of types.
  return (address.startsWith('api/') ? sum / 4 : sum) / (tag === language ? 1 : 100);
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
  const words = wordsOf(field.value), whole = field.value.trim().toLowerCase();
  const found = words.length === 0 ? [] : sections.map((section) => [score(section, words, whole), section]).filter(([points]) => points > 0).sort(([a], [b]) => b - a);
  count.textContent = words.length === 0 ? '' : found.length === 0 ? texts.none : texts.found(found.length, LIMIT);
  list.replaceChildren(...found.slice(0, LIMIT).map(([, section]) => element('li', section.tag === language ? {} : { lang: ENGLISH },
    element('a', { href: new URL(section.address, site).href }, section.title === section.page ? section.title : `${section.page}${TEXTS[section.tag].within}${section.title}`),
    element('p', {}, excerpt(section, words)))));
  history.replaceState(null, '', words.length === 0 ? location.pathname : `#${encodeURIComponent(field.value)}`);
}

field.addEventListener('input', search);
const place = document.querySelector('main .vp-doc > div') ?? document.querySelector('main');
place.append(element('label', { for: 'words' }, texts.label), field, count, list);
try {
  field.value = decodeURIComponent(location.hash.slice(1));
} catch {
  // The address has another fragment.
}
search();
field.focus();
