/** Parts of the page that only results and pasted calls need. They are loaded ahead, after all else, so that later they need no network. */
export const loadHash = () => import('./sha256.js');
export const loadReport = () => import('./conversion-report.js');

export const loadPython = () => import('../options/python-call.js');

export const loadProofs = () => Promise.all([loadHash(), loadReport(), loadPython()]);
