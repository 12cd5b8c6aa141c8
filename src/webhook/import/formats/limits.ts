/** No event is longer: 16 MiB. A piece that is, is cut off, named, and passed over. */
export const LONGEST_PIECE = 16 * 1024 * 1024
