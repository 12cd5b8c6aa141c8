import type {Entity, Field, FieldKind} from '../model/entity.js'
import {fixedId} from '../model/ids.js'
import {EXAMPLE_THINGS, exampleId} from './example-entities.js'
import type {Json} from './operation.js'

const VALUES: Readonly<Record<Exclude<FieldKind, 'id'>, unknown>> = {
  text: 'text',
  int: 1,
  float: 1.5,
  bool: true,
  'date-time': '2026-03-01T08:00:00.000+00:00',
  date: '1815-12-10T00:00:00.000+00:00',
  'custom-fields': {},
  json: {},
  list: [],
}

/** A thing as plain JSON shows it, with what the example of writing it says; without associations. */
export function exampleRow({name, fields}: Entity): Json {
  const made = EXAMPLE_THINGS[name]?.made ?? {}
  const shown = fields
    .filter(({hidden}) => !hidden)
    .map(field => [field.name, made[field.name] ?? value(field)])
  return {...Object.fromEntries(shown), id: exampleId(name), apiAlias: name}
}

function value({name, kind, constant}: Field): unknown {
  if (constant !== undefined) return constant
  return kind === 'id' ? fixedId('example', name) : VALUES[kind]
}
