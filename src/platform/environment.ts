/** Environment variables; one that is not set is `undefined`. */
export type Env = Readonly<Record<string, string | undefined>>
