/** Folders to work in: those that a scene's session has, and what is granted and taken back. Used by the scripted backend alone. */
import type { FolderRequest } from '../../bindings/FolderRequest';
import type { Reply } from '../../bindings/Reply';
import type { UserError } from '../../bindings/UserError';
import type { WorkFolder } from '../../bindings/WorkFolder';
import type { Language } from './language';

const RECENT = ['/home/lin/work/order-service', '/home/lin/work/reports'];

const UNCONFINED: Record<string, UserError> = {
  en: {
    code: 'system',
    message: 'Commands need bubblewrap, which is not installed',
    hint: 'Install it: sudo apt install bubblewrap',
  },
  zh: { code: 'system', message: '运行命令需要 bubblewrap，但没有安装', hint: '安装：sudo apt install bubblewrap' },
};

export class Folders {
  private kept: string[];

  constructor(
    private readonly language: Language,
    private readonly name: string,
  ) {
    this.kept = name === 'work' || name === 'workunconfined' ? ['/home/lin/work/order-service'] : [];
  }

  answer(request: FolderRequest): Reply {
    const { kept } = this;
    if (request.action === 'grant') this.kept = [...kept.filter((path) => path !== request.path), request.path];
    if (request.action === 'withdraw') this.kept = kept.filter((path) => path !== request.path);
    const isOfNew = request.action === 'list' && request.session === undefined;
    if (isOfNew && (request.paths.length > 0 || !this.name.startsWith('work'))) this.kept = request.paths;
    const folders = this.kept.map(shown);
    const unconfined = this.name === 'workunconfined' ? UNCONFINED[this.language] : undefined;
    return {
      reply: 'folders',
      folders: {
        folders,
        recent: RECENT.filter((path) => !this.kept.includes(path)),
        ...(unconfined === undefined ? {} : { unconfined }),
      },
    };
  }
}

function shown(path: string): WorkFolder {
  return { path, project_files: path.endsWith('order-service') ? ['AGENTS.md'] : [] };
}
