/** The parts of core/cli/check_script/, put in place by scripts/build-package.mjs. */
declare const template: string;
export default template;
