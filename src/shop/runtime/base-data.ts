import {DEFAULT_EDITION, type ShopEdition} from '../../shopware/editions.js'
import {deriveFixedId, SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../shopware/ids.js'
import {
  listStates,
  type MachineName,
  STATE_MACHINES,
  type StateMachine,
} from '../../shopware/state-machines.js'

/** @param code `en-GB` */
function deriveLocaleId(code: string): string {
  return deriveFixedId('locale', code)
}

/** Ids of the base data of every bundled shop. */
export const BASE_IDS = {
  /** As in the shop's own installation. */
  customerGroup: 'cfbd5018d38d41d8adca10d94fc8bdd6',
  /** As in the shop's own installation. */
  salesChannel: '98432def39fc4624b33213a56b8c944d',
  salesChannelType: '8a243080f92e4c719546314b577cf82b',
  locale: deriveLocaleId('en-GB'),
  shippingMethod: deriveFixedId('shipping_method', 'standard'),
  payPal: deriveFixedId('payment_method', 'paypal'),
  payUponInvoice: deriveFixedId('payment_method', 'paypal pui'),
  invoice: deriveFixedId('payment_method', 'invoice'),
  plugin: deriveFixedId('plugin', 'SwagPayPal'),
} as const

export const deriveLanguageId = (name: string) =>
  name === 'English' ? SYSTEM_LANGUAGE_ID : deriveFixedId('language', name)
export const deriveCountryId = (iso: string) => deriveFixedId('country', iso)
export const deriveSalutationId = (key: string) => deriveFixedId('salutation', key)
export const deriveTagId = (name: string) => deriveFixedId('tag', name)
/** @param machine `order_transaction.state` */
export const deriveStateId = (machine: string, state: string) =>
  STATE_IDS.get(`${machine} ${state}`) ?? deriveFixedId('state', machine, state)
export const deriveStateMachineId = (machine: string) =>
  MACHINE_IDS.get(machine) ?? deriveFixedId('state_machine', machine)

/** Computed once: hashing them would be a large part of a state change's cost. */
const MACHINE_IDS = new Map(
  Object.values(STATE_MACHINES).map(({name}) => [name, deriveFixedId('state_machine', name)]),
)
const STATE_IDS = new Map(
  Object.values(STATE_MACHINES).flatMap(machine =>
    listStates(machine).map(state => [
      `${machine.name} ${state}`,
      deriveFixedId('state', machine.name, state),
    ]),
  ),
)

/** The state of a new row. */
export const deriveInitialStateId = (name: MachineName) =>
  deriveStateId(STATE_MACHINES[name].name, STATE_MACHINES[name].initial)

/** The base data of every bundled shop, by entity; values by field. */
export function buildBaseData(): Record<string, Record<string, unknown>[]> {
  return {
    locale: buildLocales(),
    language: buildLanguages(),
    currency: buildCurrencies(),
    salutation: buildSalutations(),
    country: buildCountries(),
    customer_group: [buildNamedRow(BASE_IDS.customerGroup, 'Standard customer group', {displayGross: true})],
    sales_channel: [buildSalesChannel()],
    payment_method: buildPaymentMethods(),
    plugin: [buildPlugin()],
    shipping_method: [
      buildNamedRow(BASE_IDS.shippingMethod, 'Standard', {
        active: true,
        position: 1,
        technicalName: 'shipping_standard',
      }),
    ],
    tag: SAMPLE_TAGS.map(name => ({id: deriveTagId(name), name})),
    state_machine: Object.values(STATE_MACHINES).map(buildMachineRow),
    state_machine_state: Object.values(STATE_MACHINES).flatMap(buildStateRows),
  }
}

const LANGUAGES: readonly (readonly [name: string, locale: string, spoken: string, territory: string])[] = [
  ['English', 'en-GB', 'English', 'United Kingdom'],
  ['Deutsch', 'de-DE', 'German', 'Germany'],
  ['Français', 'fr-FR', 'French', 'France'],
  ['Español', 'es-ES', 'Spanish', 'Spain'],
  ['Polski', 'pl-PL', 'Polish', 'Poland'],
  ['Ελληνικά', 'el-GR', 'Greek', 'Greece'],
  ['Русский', 'ru-RU', 'Russian', 'Russia'],
  ['日本語', 'ja-JP', 'Japanese', 'Japan'],
  ['العربية', 'ar-EG', 'Arabic', 'Egypt'],
]

export const SAMPLE_TAGS = ['VIP', 'Newsletter', 'Großhandel', 'Reklamation']

function buildLanguages() {
  return LANGUAGES.map(([name, code]) => ({
    id: deriveLanguageId(name),
    name,
    localeId: deriveLocaleId(code),
    translationCodeId: deriveLocaleId(code),
  }))
}

function buildLocales() {
  return LANGUAGES.map(([, code, name, territory]) => ({id: deriveLocaleId(code), code, name, territory}))
}

function buildCurrencies() {
  const rounding = {decimals: 2, interval: 0.01, roundForNet: true}
  const rows: [id: string, name: string, isoCode: string, symbol: string, factor: number][] = [
    [SYSTEM_CURRENCY_ID, 'Euro', 'EUR', '€', 1],
    [deriveFixedId('currency', 'USD'), 'US-Dollar', 'USD', '$', 1.17085],
    [deriveFixedId('currency', 'GBP'), 'Pound', 'GBP', '£', 0.89157],
  ]
  return rows.map(([id, name, isoCode, symbol, factor], index) => ({
    ...buildNamedRow(id, name),
    isoCode,
    shortName: isoCode,
    symbol,
    factor,
    position: index + 1,
    itemRounding: rounding,
    totalRounding: rounding,
  }))
}

function buildSalutations() {
  const rows = [
    ['mr', 'Mr.', 'Dear Mr.'],
    ['mrs', 'Mrs.', 'Dear Mrs.'],
    ['not_specified', 'Not specified', ' '],
  ] as const
  return rows.map(([salutationKey, displayName, letterName]) => ({
    id: deriveSalutationId(salutationKey),
    salutationKey,
    displayName,
    letterName,
  }))
}

const SHOP_COUNTRIES: readonly (readonly [iso: string, iso3: string, name: string])[] = [
  ['AT', 'AUT', 'Austria'],
  ['BE', 'BEL', 'Belgium'],
  ['CH', 'CHE', 'Switzerland'],
  ['DE', 'DEU', 'Germany'],
  ['DK', 'DNK', 'Denmark'],
  ['EG', 'EGY', 'Egypt'],
  ['ES', 'ESP', 'Spain'],
  ['FR', 'FRA', 'France'],
  ['GB', 'GBR', 'United Kingdom'],
  ['GR', 'GRC', 'Greece'],
  ['IT', 'ITA', 'Italy'],
  ['JP', 'JPN', 'Japan'],
  ['NL', 'NLD', 'Netherlands'],
  ['PL', 'POL', 'Poland'],
  ['RU', 'RUS', 'Russia'],
  ['SE', 'SWE', 'Sweden'],
  ['TR', 'TUR', 'Türkiye'],
  ['US', 'USA', 'United States of America'],
  ['VN', 'VNM', 'Viet Nam'],
]

function buildCountries() {
  return SHOP_COUNTRIES.map(([iso, iso3, name], index) => ({
    ...buildNamedRow(deriveCountryId(iso), name),
    iso,
    iso3,
    position: index + 1,
    active: true,
    shippingAvailable: true,
  }))
}

function buildSalesChannel() {
  return buildNamedRow(BASE_IDS.salesChannel, 'Storefront', {
    typeId: BASE_IDS.salesChannelType,
    languageId: SYSTEM_LANGUAGE_ID,
    currencyId: SYSTEM_CURRENCY_ID,
    paymentMethodId: BASE_IDS.payPal,
    shippingMethodId: BASE_IDS.shippingMethod,
    countryId: deriveCountryId('DE'),
    customerGroupId: BASE_IDS.customerGroup,
    accessKey: 'SWSC0000000000000000000000',
    active: true,
  })
}

function buildPaymentMethods() {
  const rows = [
    [BASE_IDS.payPal, 'PayPal', 'swag_paypal_paypal'],
    [BASE_IDS.payUponInvoice, 'Pay upon invoice', 'swag_paypal_pui'],
    [BASE_IDS.invoice, 'Invoice', 'payment_invoicepayment'],
  ] as const
  return rows.map(([id, name, technicalName], index) =>
    buildNamedRow(id, name, {
      technicalName,
      distinguishableName: name,
      position: index + 1,
      active: true,
      afterOrderEnabled: true,
    }),
  )
}

function buildPlugin() {
  return {
    id: BASE_IDS.plugin,
    baseClass: 'Swag\\PayPal\\SwagPayPal',
    name: 'SwagPayPal',
    composerName: 'swag/paypal',
    active: true,
    managedByComposer: true,
    path: 'vendor/swag/paypal/',
    author: 'shopware AG',
    copyright: '(c) by shopware AG',
    license: 'MIT',
    version: DEFAULT_EDITION.pluginVersion,
    installedAt: new Date(0),
    label: 'PayPal Products for Shopware 6',
  }
}

/** Values of the base data that differ in an edition, by entity and id. */
export function listEditionValues({name, pluginVersion}: ShopEdition) {
  const methods = [
    [BASE_IDS.payPal, 'swag_paypal_paypal'],
    [BASE_IDS.payUponInvoice, 'swag_paypal_pui'],
  ] as const
  return [
    {entity: 'plugin', id: BASE_IDS.plugin, values: {version: pluginVersion}},
    ...methods.map(([id, technicalName]) => {
      // Before version 9 the plugin's payment methods had none.
      const values = {technicalName: name === '6.5' ? null : technicalName}
      return {entity: 'payment_method', id, values}
    }),
  ]
}

function buildMachineRow(machine: StateMachine) {
  const initialStateId = deriveStateId(machine.name, machine.initial)
  return buildNamedRow(deriveStateMachineId(machine.name), machine.name, {
    technicalName: machine.name,
    initialStateId,
  })
}

function buildStateRows(machine: StateMachine) {
  const machineId = deriveStateMachineId(machine.name)
  return listStates(machine).map(technicalName => {
    return buildNamedRow(deriveStateId(machine.name, technicalName), formatStateName(technicalName), {
      technicalName,
      stateMachineId: machineId,
    })
  })
}

/** Names that do not follow from the technical one. */
const STATE_NAMES: Readonly<Record<string, string>> = {completed: 'Done'}

/** The display name of a state: `paid_partially` → `Paid (partially)`, `in_progress` → `In Progress`. */
export function formatStateName(technicalName: string): string {
  const [, whole] = /^(\w+)_partially$/.exec(technicalName) ?? []
  if (whole !== undefined) return `${formatStateName(whole)} (partially)`
  const named = technicalName.replace(/(?:^|_)([a-z])/g, (match, letter: string) =>
    match.startsWith('_') ? ` ${letter.toUpperCase()}` : letter.toUpperCase(),
  )
  return STATE_NAMES[technicalName] ?? named
}

function buildNamedRow(
  id: string,
  name: string,
  values: Record<string, unknown> = {},
): Record<string, unknown> {
  return {id, name, ...values}
}
