import {describe, expect, test} from 'vitest'
import {addEntityPrefix, ENTITIES, resolveAccessor} from '../../../src/shopware/entities/entities.js'
import {EntityModel} from '../../../src/shopware/entity.js'

const model = new EntityModel(ENTITIES)
const hasColumn = (entity: string, column: string) =>
  model.get(entity).fields.some(field => field.column === column)

describe.each(ENTITIES.map(entity => [entity.name, entity] as const))('%s', (_, entity) => {
  test('has associations that lead somewhere, from and to a column', () => {
    for (const {target, column, targetColumn} of entity.associations) {
      expect([target, hasColumn(entity.name, column), hasColumn(target, targetColumn)]).toEqual([
        target,
        true,
        true,
      ])
    }
  })

  test('orders what it has, and nothing twice', () => {
    const members = [...entity.fields, ...entity.associations]
      .filter(({hidden}) => !hidden)
      .map(one => one.name)
    const around = ['id', 'versionId', 'createdAt', 'updatedAt', 'customFields']
    const ordered = [...entity.plainOrder, ...members.filter(name => around.includes(name))]
    expect(ordered.sort()).toEqual(members.sort())
  })
})

describe('a dotted name', () => {
  const customer = model.get('customer')

  test('leads over associations to a field, with the entity’s own name in front or without', () => {
    for (const name of ['defaultBillingAddress.country.iso', 'customer.defaultBillingAddress.country.iso']) {
      expect(resolveAccessor(customer, name, model)).toMatchObject({
        steps: [{name: 'defaultBillingAddress'}, {name: 'country'}],
        field: {name: 'iso'},
        path: [],
      })
    }
  })

  test('goes on inside custom fields', () => {
    expect(resolveAccessor(customer, 'customFields.a.b', model)).toMatchObject({path: ['a', 'b']})
  })

  test.each([
    ['foo', 'foo', 'customer'],
    ['defaultBillingAddress.foo', 'foo', 'customer_address'],
    ['foo.bar', 'bar', 'customer'],
    ['addresses', 'addresses', 'customer'],
    ['', '', 'customer'],
  ])('%s fails at %s of %s', (name, unmapped, entity) => {
    expect(resolveAccessor(customer, name, model)).toMatchObject({unmapped, entity: {name: entity}})
  })

  test('is prefixed in errors unless the prefix is in it', () => {
    expect(addEntityPrefix(customer, 'password')).toBe('customer.password')
    expect(addEntityPrefix(customer, 'customer.password')).toBe('customer.password')
  })
})
