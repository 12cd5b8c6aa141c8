import * as Flags from '@oclif/core/flags'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags of `customer search`. */
export const searchFlags = {
  email: Flags.string({description: 'exactly this e-mail address', helpValue: 'ADDRESS'}),
  number: Flags.string({description: 'exactly this customer number', helpValue: 'NUMBER'}),
  name: Flags.string({description: 'words of the first or last name'}),
  company: Flags.string({description: 'part of the company', helpValue: 'NAME'}),
  group: Flags.string({description: 'customer group, by name or id', helpValue: 'GROUP'}),
  country: Flags.string({description: 'country of the billing address', helpValue: 'DE'}),
  city: Flags.string({description: 'part of the city of the billing address'}),
  zip: Flags.string({description: 'how the postal code of the billing address begins'}),
  active: Flags.boolean({
    description: 'active ones, or with --inactive the others',
    exclusive: ['inactive'],
  }),
  inactive: Flags.boolean({description: 'those that are not active'}),
  guest: Flags.boolean({description: 'guests, or with --no-guest the others', allowNo: true}),
  'created-since': momentFlag({description: 'made at this time or later'}),
  'created-until': momentFlag({description: 'made before this time'}),
  'last-order-since': momentFlag({description: 'whose last order is of this time or later'}),
  'last-order-until': momentFlag({description: 'whose last order is from before this time'}),
  tag: Flags.string({
    description: 'with this tag; several: with each',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
  }),
  where: Flags.string({description: 'a condition on any field', helpValue: 'EXPR'}),
  criteria: Flags.string({
    description: "the shop's own JSON, from a file or @- for stdin; flags narrow it further",
    helpValue: '@FILE',
  }),
  ranked: Flags.boolean({
    description: "leave the words to the shop's own search: any of them, the best first",
    exclusive: ['sort'],
  }),
  sort: Flags.string({
    description: 'fields to sort by, - for descending',
    helpValue: '-createdAt,lastName',
  }),
  limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
  all: Flags.boolean({description: 'all of them, streamed'}),
  page: Flags.integer({
    description: 'pass by --limit customers for each page before',
    min: 1,
    exclusive: ['all'],
  }),
  'page-size': Flags.integer({description: 'customers a request', min: 1, max: 500, default: 500}),
  count: Flags.boolean({description: 'print how many there are; the shop has to count them'}),
  facet: Flags.string({
    description: 'count them by fields instead; --limit is then of the values of each',
    helpValue: 'group,country',
    exclusive: ['count', 'page', 'sort'],
  }),
  out: Flags.string({
    description: 'write the result to a file, whole or not at all; - for stdout',
    helpValue: 'FILE',
  }),
  force: Flags.boolean({description: 'replace the file of --out', dependsOn: ['out']}),
  'mask-pii': Flags.boolean({
    description: 'print *** for names, addresses, custom fields and whatever else is or may be personal',
  }),
  'csv-raw': Flags.boolean({description: 'leave text in CSV as it is, though a spreadsheet may run it'}),
  'show-request': Flags.boolean({description: 'print the first request, and send nothing'}),
  quiet: Flags.boolean({description: 'say nothing on stderr of how many there were and how to get more'}),
  'fail-if-empty': Flags.boolean({description: 'exit 9 when none is found'}),
}

/** What they parse to. */
export type SearchFlags = ParsedFlags<typeof searchFlags>
