/** A customer as the reference sees it: plain values, `YYYY-MM-DD HH:MM:SS.mmm` for moments. */
export interface Subject {
  id: string
  [field: string]: unknown
}

export type WrittenFilter = Record<string, unknown> & {type: string}

/** True, false, or null for "nobody knows", which is what comparing with null gives. */
type Truth = boolean | null

const NUMBERS = ['orderCount', 'orderTotalAmount', 'autoIncrement', 'active']
const MOMENTS = ['birthday', 'createdAt']
const LISTS = ['vatIds']
const MANY = ['addresses', 'tags']

/** Whether a filter keeps a thing: a plain reading of the rules, one thing at a time. @see protocol.md §6.3 */
export function keeps(filter: WrittenFilter, subject: Subject): boolean {
  return evaluate(filter, subject, false) === true
}

function evaluate(filter: WrittenFilter, subject: Subject, negated: boolean): Truth {
  const queries = (filter.queries ?? []) as WrittenFilter[]
  switch (filter.type) {
    case 'and':
      return group('and', queries, subject, negated)
    case 'or':
      return group('or', queries, subject, negated)
    case 'multi':
      return group(String(filter.operator).toLowerCase() === 'or' ? 'or' : 'and', queries, subject, negated)
    case 'nand':
      return negate('and', queries, subject)
    case 'nor':
      return negate('or', queries, subject)
    case 'not':
      return negate(String(filter.operator ?? 'and').toLowerCase(), queries, subject)
    case 'equalsAll': {
      const each = valuesOf(filter).map(value => ({type: 'equals', field: filter.field, value}))
      return group(
        'and',
        each.map(one => ({type: 'and', queries: [one]})),
        subject,
        negated,
      )
    }
    default:
      return leaf(filter, subject, negated)
  }
}

function negate(operator: string, queries: WrittenFilter[], subject: Subject): Truth {
  if (queries.every(isEmptyGroup)) return true
  const truth = group(operator, queries, subject, true)
  return truth === null ? null : !truth
}

/** A group without conditions in it restricts nothing, wherever it stands. */
function isEmptyGroup(filter: WrittenFilter): boolean {
  return 'queries' in filter && (filter.queries as WrittenFilter[]).every(isEmptyGroup)
}

function group(operator: string, all: WrittenFilter[], subject: Subject, negated: boolean): Truth {
  const queries = all.filter(query => !isEmptyGroup(query))
  if (queries.length === 0) return true
  if (operator === 'and') return and(queries, subject, negated)
  const truths = queries.map(query => evaluate(query, subject, negated))
  if (operator === 'or')
    return truths.some(truth => truth === true) ? true : truths.includes(null) ? null : false
  return truths.reduce((left, right) => (left === null || right === null ? null : left !== right))
}

/** Conditions beside each other on the same many things hold together when one of those things meets them all. */
function and(queries: WrittenFilter[], subject: Subject, negated: boolean): Truth {
  const single = queries.filter(query => manyOf(query) === undefined)
  const truths = single.map(query => evaluate(query, subject, negated))
  for (const name of MANY) {
    const shared = queries.filter(query => manyOf(query) === name).map(query => within(query, name))
    if (shared.length > 0) truths.push(someOf(subject[name] as Subject[], shared, negated))
  }
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function someOf(things: Subject[], queries: WrittenFilter[], negated: boolean): boolean {
  const meets = (thing: Subject) => and(queries, thing, negated) === true
  return things.length === 0 ? meets(NOTHING) : things.some(meets)
}

/** Having none is as having one without values, for a compare with null alone. */
const NOTHING: Subject = new Proxy({id: ''} as Subject, {get: () => undefined})

/** A group's conditions stand beside each other, and not beside those around it. */
function manyOf({field}: WrittenFilter): string | undefined {
  return typeof field === 'string' ? MANY.find(name => field.startsWith(`${name}.`)) : undefined
}

function within(query: WrittenFilter, name: string): WrittenFilter {
  return {...query, field: (query.field as string).slice(name.length + 1)}
}

function leaf(filter: WrittenFilter, subject: Subject, negated: boolean): Truth {
  const field = filter.field as string
  const many = MANY.find(name => field.startsWith(`${name}.`))
  if (many) return someOf(subject[many] as Subject[], [within(filter, many)], negated)
  const value = valueAt(subject, field)
  const name = field.split('.').at(-1) as string
  if (filter.type === 'equals') return equals(value, filter.value, name, negated)
  if (value === null || value === undefined) return null
  switch (filter.type) {
    case 'equalsAny':
      return valuesOf(filter).some(one => equals(value, one, name, false) === true)
    case 'contains':
      return plain(value).includes(folded(filter.value))
    case 'prefix':
      return plain(value).startsWith(folded(filter.value))
    case 'suffix':
      return plain(value).endsWith(folded(filter.value))
    case 'range':
      return inRange(value, filter.parameters as Record<string, unknown>, name)
    default:
      throw new Error(`the reference knows no ${filter.type}`)
  }
}

function equals(value: unknown, wanted: unknown, name: string, negated: boolean): Truth {
  const isNull = value === null || value === undefined
  if (wanted === null) return isNull
  if (isNull) return negated && !LISTS.includes(name) ? false : null
  if (LISTS.includes(name)) return (value as unknown[]).some(one => plain(one) === plain(wanted))
  return NUMBERS.includes(name)
    ? Number(value) === Number(wanted)
    : plain(comparable(value, name)) === plain(comparable(wanted, name))
}

function inRange(value: unknown, bounds: Record<string, unknown>, name: string): Truth {
  const compare = (bound: unknown): number => {
    if (NUMBERS.includes(name)) return Number(value) - Number(bound)
    const [one, other] = [plain(comparable(value, name)), plain(comparable(bound, name))]
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  }
  const checks: Truth[] = []
  if ('gt' in bounds) checks.push(compare(bounds.gt) > 0)
  else if ('gte' in bounds) checks.push(compare(bounds.gte) >= 0)
  if ('lt' in bounds) checks.push(compare(bounds.lt) < 0)
  else if ('lte' in bounds) checks.push(compare(bounds.lte) <= 0)
  return checks.every(Boolean)
}

/** `2024-10-24` stands for its midnight. */
function comparable(value: unknown, name: string): unknown {
  if (!MOMENTS.includes(name)) return value
  const text = String(value).replace('T', ' ').replace('+00:00', '')
  return text.length === 10 ? `${text} 00:00:00.000` : text
}

/** The entity's own name may stand in front. */
function valueAt(subject: Subject, path: string): unknown {
  const parts = path.replace(/^customer\./, '').split('.')
  return parts.reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | null | undefined)?.[part],
    subject,
  )
}

function valuesOf(filter: WrittenFilter): unknown[] {
  return typeof filter.value === 'string' ? filter.value.split('|') : (filter.value as unknown[])
}

function plain(value: unknown): string {
  return folded(value).replace(/ +$/, '')
}

function folded(value: unknown): string {
  return String(value).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
}
