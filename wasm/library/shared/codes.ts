/** Numbers of the product's table of errors (core/base/errors.def) for errors that occur only in hosts. */
export const EXTENSION_FAILED = 4004;
export const NO_SUCH_MODEL = 6007;
export const READ_FAILED = 7001;
export const WRITE_FAILED = 7002;
export const OUT_OF_MEMORY = 7003;
