/** What a command that sends says once of records that were restored. @param why a sentence */
export function describeRestored(why: string): string {
  return `The records were restored from a backup: ${why}. What is open may have been delivered since: it is looked up first, and held where no state shows it. Compare both sides (storectl payment reconcile), then: storectl database restored --checked --reason TEXT`
}
