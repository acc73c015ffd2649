/** `input_shape` is shown as "Input shape". */
export function titleOf(option: string): string {
  const words = option.replaceAll('_', ' ').replaceAll(/\bn[hcw]{3}\b/g, (layout) => layout.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
