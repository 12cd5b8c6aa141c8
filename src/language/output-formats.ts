/** Every format of results: flags, settings and writers read this list, in this order. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'markdown', 'id'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]
