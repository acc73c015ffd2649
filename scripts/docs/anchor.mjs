/** The fragment of a heading, as hosts of repositories make it; the site makes the same. */
export const anchorOf = (heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
