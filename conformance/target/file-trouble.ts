/** What the codes of the operating system mean to whoever named the file. */
const meanings: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a file is where a folder should be',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Why a file could not be read or written, in words. */
export function fileTrouble(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return meanings[code] ?? (code || message)
}
