// What the scripted backend says of something attached: a text that is sent whole.
import type { AttachSource } from '../../bindings/AttachSource';
import type { Attachment } from '../../bindings/Attachment';

export function inspected(source: AttachSource): Attachment {
  const path = pathOf(source);
  const name = path.split('/').at(-1) ?? path;
  const preview = `path: ${path}\n412 bytes, 12 lines\n---\nname,minutes\npanel,4\nball,1`;
  return {
    path, name, kind: 'text', format: 'text', misnamed: false, bytes: 412, lines: 12, tokens: 46, how: 'whole',
    unit: 'line', parts: 12, preview, preview_cut: false,
  };
}

function pathOf(source: AttachSource): string {
  switch (source.from) {
    case 'path':
      return source.path;
    case 'text':
      return `/home/lin/.local/share/shidi/attachments/9f2c/${source.name ?? 'pasted.txt'}`;
    case 'image':
      return `/home/lin/.local/share/shidi/attachments/9f2c/${source.name ?? 'pasted.png'}`;
    case 'url':
      return `/home/lin/.local/share/shidi/attachments/9f2c/${encodeURIComponent(source.url)}.html`;
  }
}
