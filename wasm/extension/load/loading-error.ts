/** A folder of extensions that cannot be used. */
export class LoadingError extends Error {
  constructor(
    message: string,
    readonly file: string,
    readonly hint = '',
  ) {
    super(message);
  }
}
