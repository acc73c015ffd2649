// The index of the site's search: the text of each section of each page. It is a script, because pages that are opened from a disk may not
// fetch files.

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** The text of a piece of HTML: tags go, entities become letters. */
export function textOf(html) {
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&(\w+|#39);/g, (all, name) => ENTITIES[name] ?? all).replaceAll(/[\s\u200b]+/g, ' ').trim();
}

export class SearchIndex {
  #sections = [];

  /** Adds a page: its content stands in the element `main`; a heading with an id begins a section. */
  add(path, html) {
    const main = /<main[^>]*>([^]*?)<\/main>/.exec(html)?.[1];
    if (main === undefined) return;
    const parts = main.split(/(?=<h[1-3] id=")/).slice(1);
    const title = parts.length > 0 ? heading(parts[0]).text : '';
    for (const part of parts) {
      const { id, text, rest } = heading(part);
      this.#sections.push([`${path}#${id}`, title, text, textOf(rest)]);
    }
  }

  /** A script that leaves the sections of a language, in the order of their addresses. */
  script(tag) {
    const sorted = this.#sections.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `(globalThis.moSections ??= {})[${JSON.stringify(tag)}] = ${JSON.stringify(sorted)};\n`;
  }
}

function heading(part) {
  const [, id, content, rest] = /^<h[1-3] id="([^"]*)"[^>]*>([^]*?)<\/h[1-3]>([^]*)$/.exec(part);
  return { id, text: textOf(content.replaceAll(/<a class="header-anchor"[^]*?<\/a>/g, '')), rest };
}
