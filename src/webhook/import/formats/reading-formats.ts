/** What a file may be said to hold; without it, its content says so, line by line where there are lines. */
export const FORMATS = ['json', 'ndjson', 'har', 'curl', 'http', 'nginx'] as const
export type EventFormat = (typeof FORMATS)[number]
