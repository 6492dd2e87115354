export const DEFAULT_BUCKET = "termtopic";

/** The names that a bucket may have. */
export const BUCKET_NAME = /^[A-Za-z0-9_-]{1,64}$/;
