import {
  bool,
  customFields,
  dateTime,
  entity,
  id,
  list,
  manyToMany,
  ranked,
  text,
  toMany,
  toOne,
} from '../describe.js'

/** Users and integrations of the shop, with their privileges. @see protocol.md §3.3 */

const USER_ROLES = {table: 'acl_user_role', column: 'user_id', targetColumn: 'acl_role_id'}
const INTEGRATION_ROLES = {table: 'integration_role', column: 'integration_id', targetColumn: 'acl_role_id'}

/** A user of the shop. */
export const user = entity('user', {
  fields: [
    id('localeId'),
    text('username', {indexed: true}),
    text('password', {hidden: true}),
    text('firstName'),
    text('lastName'),
    text('title'),
    text('email'),
    bool('active'),
    bool('admin'),
    dateTime('lastUpdatedPasswordAt'),
    customFields(),
  ],
  associations: [
    toMany('accessKeys', 'user_access_key', 'userId'),
    manyToMany('aclRoles', 'acl_role', USER_ROLES),
  ],
  writing: {
    required: ['localeId', 'username', 'password', 'firstName', 'lastName', 'email'],
    readOnly: ['lastUpdatedPasswordAt'],
    defaults: {active: true, admin: false},
    emails: ['email'],
    secrets: {password: 'password'},
  },
})

/** An access key by which a program signs in as a user. @see protocol.md §2.1, `SWUA` */
export const userAccessKey = entity('user_access_key', {
  fields: [
    id('userId', {indexed: true}),
    text('accessKey', {unique: true}),
    text('secretAccessKey', {hidden: true}),
    dateTime('lastUsageAt'),
    customFields(),
  ],
  associations: [toOne('user', 'user')],
  writing: {
    required: ['userId', 'accessKey', 'secretAccessKey'],
    readOnly: ['lastUsageAt'],
    owners: ['userId'],
    secrets: {secretAccessKey: 'key'},
  },
})

/** An integration: a program with an access key of its own. */
export const integration = entity('integration', {
  fields: [
    text('accessKey', {indexed: true}),
    text('secretAccessKey', {hidden: true}),
    text('label', ranked(500)),
    dateTime('lastUsageAt'),
    bool('admin'),
    customFields(),
  ],
  associations: [manyToMany('aclRoles', 'acl_role', INTEGRATION_ROLES)],
  writing: {
    required: ['accessKey', 'secretAccessKey', 'label'],
    readOnly: ['lastUsageAt'],
    defaults: {admin: false},
    secrets: {secretAccessKey: 'key'},
  },
})

/** Named privileges: `customer:read`, `swag_paypal.viewer`. */
export const aclRole = entity('acl_role', {
  fields: [text('name', ranked(500)), text('description'), list('privileges')],
  associations: [
    manyToMany('users', 'user', swapPair(USER_ROLES)),
    manyToMany('integrations', 'integration', swapPair(INTEGRATION_ROLES)),
  ],
  writing: {
    required: ['name'],
    longest: {description: Number.POSITIVE_INFINITY},
    defaults: {privileges: []},
  },
})

function swapPair({table, column, targetColumn}: typeof USER_ROLES) {
  return {table, column: targetColumn, targetColumn: column}
}
