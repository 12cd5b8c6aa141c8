/** Ids that the provider's simulator and its public samples use again and again, each with other bodies. */
const SAMPLE_IDS: ReadonlySet<string> = new Set([
  'WH-58D329510W468432D-8HN650336L201105X',
  'WH-6SA34813406280445-6M160383LS6155516',
  'WH-2WR32451HC0233532-67976317FL4543714',
  'WH-COC11055RA711503B-4YM959094A144403T',
  'WH-0G2756385H040842W-5Y612302CV158622M',
  'WH-82L71649W50323023-5WC64761VS637831A',
  'WH-1GE84257G0350133W-6RW800890C634293G',
])

/** Whether an id belongs to no event of its own: several bodies under it are to be expected. */
export function isSampleId(id: string): boolean {
  return SAMPLE_IDS.has(id)
}
