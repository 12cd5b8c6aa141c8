/** Language, currency and version that a request asks for by its headers. @see protocol.md §3.2 */
export interface RequestContext {
  languageId: string
  currencyId: string
  versionId: string
}
