import * as Flags from '@oclif/core/flags'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'
import {whereFlag} from './list-flags.js'

/** Flags of `customer search`. */
export const searchFlags = {
  email: Flags.string({description: 'Exact email address', helpGroup: 'SELECTION', helpValue: 'ADDRESS'}),
  number: Flags.string({description: 'Exact customer number', helpGroup: 'SELECTION', helpValue: 'NUMBER'}),
  name: Flags.string({description: 'Words of the first or last name', helpGroup: 'SELECTION'}),
  company: Flags.string({description: 'Part of the company name', helpGroup: 'SELECTION', helpValue: 'NAME'}),
  group: Flags.string({
    description: 'Customer group, by name or id',
    helpGroup: 'SELECTION',
    helpValue: 'GROUP',
  }),
  country: Flags.string({
    description: 'Billing country, by code or name',
    helpGroup: 'SELECTION',
    helpValue: 'DE',
  }),
  city: Flags.string({description: 'Part of the billing city', helpGroup: 'SELECTION'}),
  zip: Flags.string({description: 'Billing postal code prefix', helpGroup: 'SELECTION'}),
  active: Flags.boolean({
    description: 'Only active (or --inactive) customers',
    helpGroup: 'SELECTION',
    exclusive: ['inactive'],
  }),
  inactive: Flags.boolean({description: 'Only inactive customers', helpGroup: 'SELECTION'}),
  guest: Flags.boolean({
    description: 'Only guests (or --no-guest: only registered customers)',
    helpGroup: 'SELECTION',
    allowNo: true,
  }),
  'created-since': momentFlag({description: 'Created at or after this time', helpGroup: 'SELECTION'}),
  'created-until': momentFlag({description: 'Created before this time', helpGroup: 'SELECTION'}),
  'last-order-since': momentFlag({description: 'Last order at or after this time', helpGroup: 'SELECTION'}),
  'last-order-until': momentFlag({description: 'Last order before this time', helpGroup: 'SELECTION'}),
  tag: Flags.string({
    description: 'Has this tag (repeat to require several)',
    helpGroup: 'SELECTION',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
  }),
  where: whereFlag(),
  criteria: Flags.string({
    description: 'Criteria in JSON from @FILE, @- for stdin; flags narrow them further',
    helpGroup: 'SELECTION',
    helpValue: '@FILE',
  }),
  ranked: Flags.boolean({
    description: "Use the shop's own search: match any word, best first",
    helpGroup: 'SELECTION',
    exclusive: ['sort'],
  }),
  sort: Flags.string({
    description: 'Sort by these fields',
    helpGroup: 'SELECTION',
    helpValue: 'FIELD[:desc],…',
  }),
  limit: Flags.integer({
    description: 'Max customers (default 25; on a terminal, its height)',
    helpGroup: 'SELECTION',
    min: 1,
    exclusive: ['all'],
  }),
  all: Flags.boolean({description: 'Stream all customers', helpGroup: 'SELECTION'}),
  page: Flags.integer({
    description: 'Page to print, --limit customers each',
    helpGroup: 'SELECTION',
    min: 1,
    exclusive: ['all'],
  }),
  'page-size': Flags.integer({
    description: 'Customers per request',
    helpGroup: 'SPEED',
    min: 1,
    max: 500,
    default: 500,
  }),
  count: Flags.boolean({description: 'Print the number of customers only', helpGroup: 'OUTPUT'}),
  facet: Flags.string({
    description: 'Count customers by field; --limit applies to the values of each',
    helpGroup: 'OUTPUT',
    helpValue: 'group,country',
    exclusive: ['count', 'page', 'sort'],
  }),
  out: Flags.string({
    description: 'Write the result to FILE, complete or not at all; - for stdout',
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
  }),
  force: Flags.boolean({description: 'Overwrite the file of --out', helpGroup: 'OUTPUT', dependsOn: ['out']}),
  'mask-pii': Flags.boolean({
    description: 'Print *** for personal data: names, addresses, custom fields',
    helpGroup: 'OUTPUT',
  }),
  'csv-raw': Flags.boolean({description: 'CSV without the apostrophe before formulas', helpGroup: 'OUTPUT'}),
  'show-request': Flags.boolean({
    description: 'Print the first request, and send nothing',
    helpGroup: 'OUTPUT',
  }),
  quiet: Flags.boolean({description: 'Suppress summary on stderr', helpGroup: 'OUTPUT'}),
  'fail-if-empty': Flags.boolean({description: 'Exit 9 if no customer is found', helpGroup: 'OUTPUT'}),
}

/** What they parse to. */
export type SearchFlags = ParsedFlags<typeof searchFlags>
