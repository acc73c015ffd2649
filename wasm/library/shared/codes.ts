/** Numbers of the product's table of errors (core/base/errors.def) that hosts need to know. */
export const MISSING_DATA_FILE = 1006;
export const UNSUPPORTED_OP = 2001;
export const RANKS_OF_BRANCHES_DIFFER = 3014;
export const RANK_NOT_KNOWN = 3016;
export const INPUT_WITHOUT_RANK = 3017;
export const EXTENSION_FAILED = 4004;
export const EXTENSION_WARNS = 4013;
export const BAD_OPTION_VALUE = 6002;
export const NO_SUCH_MODEL = 6007;
export const OUTPUT_DIR_REFUSED = 6021;
export const NO_SUCH_FILE = 6022;
export const READ_FAILED = 7001;
export const WRITE_FAILED = 7002;
export const OUT_OF_MEMORY = 7003;
export const PROCESS_ENDED = 7007;
