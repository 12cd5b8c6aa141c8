import * as Flags from '@oclif/core/flags'
import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createListFlags, whereFlag} from '../../flags/list-flags.js'
import {describeMachine} from '../../platform/processes.js'
import {
  arrangeRuns,
  createRunGroupView,
  groupRuns,
  parseRunArrangement,
  RUN_GROUPINGS,
  type RunArrangement,
  type RunGrouping,
} from '../../runs/report/run-fields.js'
import {RUNS} from '../../runs/report/run-view.js'
import {countListRows, streamListRows} from '../../runs/report/watch-view.js'

export default class RunList extends BaseCommand {
  static override summary = 'List runs and watches, newest first'
  static override examples = [
    '<%= config.bin %> run list',
    '<%= config.bin %> run list --kind replay --limit 5 -o json',
    `<%= config.bin %> run list --where 'counts.failed > 0' --sort startedAt`,
    '<%= config.bin %> run list --all --group-by day',
  ]
  static override flags = {
    kind: Flags.option({
      options: ['replay', 'submit', 'repair', 'resolve', 'undo', 'watch'] as const,
      description: 'Only runs of this kind',
      helpGroup: 'SELECTION',
    })(),
    state: Flags.option({
      options: ['running', 'paused', 'unresponsive', 'completed', 'stopped', 'interrupted'] as const,
      description: 'Only runs in this state',
      helpGroup: 'SELECTION',
    })(),
    where: whereFlag(),
    ...createListFlags('runs'),
    'group-by': Flags.option({
      options: RUN_GROUPINGS,
      description: 'Count runs by group',
      helpGroup: 'OUTPUT',
      exclusive: ['sort'],
    })(),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(RunList)
    const records = await this.adapters.openRecords()
    const machine = describeMachine(this.host.env)
    const {kind, state, where, 'group-by': grouping} = flags
    const limit = flags.all ? undefined : (flags.limit ?? this.presenter.usualLimit)
    const arrangement = parseRunArrangement(flags, limit)
    const query = {kind, state, withRuns: flags.all === true, limit: undefined}
    const isWhole = where !== undefined || flags.sort !== undefined || grouping !== undefined
    const rows = streamListRows(records, machine, isWhole ? query : {...query, limit})
    if (grouping !== undefined) return this.#printGroups(rows, arrangement, grouping)
    const shown = await this.print(arrangeRuns(rows, arrangement), RUNS)
    if (shown === 0) return this.#noteNone(kind ?? state ?? where)
    const count = async () => (where === undefined ? countListRows(records, machine, query) : undefined)
    await this.noteShown(shown, RUNS.noun, count, 'all shops')
  }

  async #printGroups(
    rows: ReturnType<typeof streamListRows>,
    {matches, limit}: RunArrangement,
    by: RunGrouping,
  ): Promise<void> {
    const groups = await groupRuns(arrangeRuns(rows, {matches, limit: undefined}), by)
    await this.printCounted(groups.slice(0, limit), createRunGroupView(by), {limit})
  }

  async #noteNone(filter: string | undefined): Promise<void> {
    const shop = describeChosenShop(await this.adapters.findChosenProfile())
    const none = (what: string) => `No ${what} for ${shop} or any other shop.`
    if (filter !== undefined) return this.note(none('such runs'))
    await this.note(`${none('runs')} To preview a replay: storectl webhook replay --dry-run`)
  }
}
