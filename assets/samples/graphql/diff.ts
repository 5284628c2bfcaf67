/** The difference of two texts by lines: the longest lines that both have in common stay, the others go or come. Pure. */

export interface DiffLine {
  sign: ' ' | '+' | '-';
  text: string;
}

export function diff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  // lengths[i][j]: lines in common of what stands from i and from j on.
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push({ sign: ' ', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: old[i] ?? '' });
      i += 1;
    } else {
      lines.push({ sign: '+', text: fresh[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}
