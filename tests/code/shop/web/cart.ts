/** Draws the basket in the page. */
export function drawBasket(lines: Line[]): string {
  return lines.map((line) => formatLine(line)).join('');
}

export interface Line {
  article: string;
  number: number;
}

const formatLine = (line: Line) => `${line.number} ${line.article}`;
