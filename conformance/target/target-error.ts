/** The target file (or what it names) is at fault; each mistake is one line that names the place. */
export class TargetError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

/** The bank shows a page of which the target file has no entry. */
export class UndescribedPage extends TargetError {}

/** The bank shows a page again that was filled in as the target file says. */
export class PageRepeated extends TargetError {}
