/// <reference path="../../report/error-help.d.ts" />
/** 简体中文. How texts and terms are chosen: docs/translating.md. */
import type { Language } from '../texts.js';
import { DETAILS } from './details.js';
import { ERRORS } from './errors.js';
import { GRAPH } from './graph.js';
import { HINTS } from './hints.js';
import { IRS } from './irs.js';
import { OPTIONS } from './options.js';
import { PAGE } from './page.js';
import { REPORT } from './report.js';
import { RESULT } from './result.js';
import { STATIC } from './static.js';

const language: Language = {
  tag: 'zh-Hans',
  texts: new Map([
    ...[STATIC, PAGE, RESULT, IRS, GRAPH, REPORT, OPTIONS, HINTS].flatMap(Object.entries),
    ...ERRORS.flatMap(([, sentence, translation, hint, translatedHint]) => [[sentence, translation], [hint, translatedHint]] as const),
  ]),
  templates: new Map(Object.entries(DETAILS)),
  sentences: new Map(ERRORS.map(([code, , translation]) => [code, translation])),
  help: async () => (await import('virtual:error-help-zh-Hans')).PAGES,
};

export default language;
