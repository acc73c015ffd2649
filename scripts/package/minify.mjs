/** How bundles with code for extensions are made small, for `output.minify`: messages about extensions name classes, so these keep their names. */
const keepNames = { function: false, class: true };
export const WITH_CLASS_NAMES = { compress: { keepNames }, mangle: { keepNames }, codegen: { removeWhitespace: true } };
