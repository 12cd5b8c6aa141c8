const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it, in an element or in a quoted attribute. @see WHATWG HTML 13.1.4 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, char => NAMES[char] as string)
}

/** JSON that can stand in a script element whatever its texts hold. @see WHATWG HTML 4.12.1.3 */
export function escapeScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
