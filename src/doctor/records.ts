/** The records, as the checks see them. */
export interface RecordsFacts {
  /** Path of a file, or address of a PostgreSQL. */
  readonly location: string
  readonly sizeBytes: number
  /** What is wrong with them, `undefined` when nothing is. */
  readonly complaint: string | undefined
  /** Lines that mend it. */
  readonly nextSteps: readonly string[]
}

/** Records in a file. @param complaint the database's own words, `undefined` when nothing is wrong */
export function describeFile(file: string, sizeBytes: number, complaint: string | undefined): RecordsFacts {
  const nextSteps = [`cp ${file} ${file}.damaged   # before anything else`, 'restore it from a backup']
  return {location: file, sizeBytes, complaint, nextSteps}
}

interface PostgresFacts {
  readonly sizeBytes: number
  readonly brokenIndices: readonly string[]
  /** Steps that a newer program made. */
  readonly tooNew: readonly string[]
}

/** Records in PostgreSQL. @param address without a password */
export function describePostgres(
  address: string,
  {sizeBytes, brokenIndices, tooNew}: PostgresFacts,
): RecordsFacts {
  const broken = brokenIndices.length > 0 ? `${brokenIndices.join(', ')} cannot be used` : undefined
  const complaint = tooNew.length > 0 ? `a newer storectl changed it (${tooNew.join(', ')})` : broken
  const reindex = brokenIndices.map(name => `psql -c 'reindex index concurrently "${name}"'`)
  const nextSteps = tooNew.length > 0 ? ['npm install --global storectl'] : reindex
  return {location: address, sizeBytes, complaint, nextSteps}
}
