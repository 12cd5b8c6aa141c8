import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {ATTEMPTS, attemptRow, EVENT, eventRecord} from '../../webhook/render.js'
import {noSuchEvent} from '../../webhook/replay-source.js'

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show one event: what became of it, and what is in it'
  static override examples = [
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --headers -o json',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --raw > body.json',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --attempts',
  ]
  static override args = {id: Args.string({description: "the provider's id of the event", required: true})}
  static override flags = {
    raw: Flags.boolean({description: 'print the body byte for byte, and nothing else'}),
    headers: Flags.boolean({description: 'with the headers it came with'}),
    attempts: Flags.boolean({
      description: 'list what became of it each time it was sent again',
      exclusive: ['raw', 'headers'],
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookShow)
    const {inbox, target} = await this.context.inbox()
    const event = (await inbox.find(target, [args.id])).get(args.id)
    const content = (await inbox.contents(target, [args.id])).get(args.id)
    if (!event || !content) throw noSuchEvent(args.id, target)
    if (flags.raw) return this.context.world.stdout.write(content.body)
    if (!flags.attempts) return this.printOne(eventRecord(event, content, flags.headers), EVENT)
    const {runs} = await this.context.records()
    const records = await runs.recordsOf('replay', target, args.id)
    await this.print(records.map(attemptRow), ATTEMPTS)
  }
}
