/** Commands that mend a sign-in that was refused, made for the place that refused it. */
export interface Mend {
  /** Signs in again, or gives the environment another secret. */
  readonly signIn: string
  /** Has the same place looked for at another base URL. */
  readonly atUrl: (url: string) => string
  /** Gives a gate the user and password that it asks for; they come from standard input. */
  readonly basicAuth: string
  /** Gives a gate a header of its own. */
  readonly header: string
}
