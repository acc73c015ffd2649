/** core/cli/check_script.py, put in place by scripts/build-package.mjs. */
declare const template: string;
export default template;
