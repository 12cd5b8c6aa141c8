import type {Condition, ConditionValue} from '../../src/language/where/condition.js'

/**
 * Writes a condition so that `parseWhere` reads the same tree from it.
 *
 * Parentheses stand only where they are needed; text is in double quotes.
 */
export function printWhere(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts
        .map(part => printGroup(part, part.kind === 'or' || part.kind === condition.kind))
        .join(` ${condition.kind} `)
    case 'not':
      return `not ${printGroup(condition.part, condition.part.kind === 'and' || condition.part.kind === 'or')}`
    case 'single':
      return `${condition.field.name} ${condition.operator} ${printValue(condition.value)}`
    case 'list':
      return `${condition.field.name} ${condition.operator} (${condition.values.map(printValue).join(', ')})`
  }
}

function printGroup(condition: Condition, group: boolean): string {
  const text = printWhere(condition)
  return group ? `(${text})` : text
}

function printValue(value: ConditionValue): string {
  switch (value.kind) {
    case 'text':
      return `"${value.text.replace(/["\\]/g, '\\$&')}"`
    case 'bare':
      return value.text
    case 'boolean':
      return String(value.value)
    case 'null':
      return 'null'
  }
}
