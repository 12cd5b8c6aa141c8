import {type DataTypeNode, PostgresQueryCompiler} from 'kysely'

/**
 * Texts compare byte by byte, as in SQLite and whatever the database's own language; whole numbers hold 64 bits.
 */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
}

/** The SQL of PostgreSQL, with types as our migrations mean them. */
export class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const own = TYPES[node.dataType]
    if (own === undefined) super.visitDataType(node)
    else this.append(own)
  }
}
