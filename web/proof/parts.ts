/** What results need besides the page itself: it comes with the page, after all else, so that later it is there without a network. */
export const loadHash = () => import('./sha256.js');
export const loadReport = () => import('./conversion-report.js');

export const loadProofs = () => Promise.all([loadHash(), loadReport()]);
