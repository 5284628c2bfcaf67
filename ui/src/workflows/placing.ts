/** Places the boxes of one block by dagre, which is loaded when the first drawing is looked at. */
import type { EdgeLabel, GraphLabel, NodeLabel } from '@dagrejs/dagre';
import type { Layout, Place, Point } from './drawing';

/** Pixels between boxes beside each other, between lines, and between ranks. */
const BESIDE = 22;
const BETWEEN_LINES = 14;
const BETWEEN_RANKS = 30;

let engine: Promise<Place> | null = null;

/** Whoever places boxes, once it is loaded. */
export function placing(): Promise<Place> {
  engine ??= import('@dagrejs/dagre').then(by);
  return engine;
}

function by({ Graph, layout }: typeof import('@dagrejs/dagre')): Place {
  return (boxes, links): Layout => {
    const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
    graph.setGraph({ rankdir: 'TB', nodesep: BESIDE, edgesep: BETWEEN_LINES, ranksep: BETWEEN_RANKS });
    // A file may call a step what objects have by themselves, so steps go by their numbers.
    const keys = new Map(boxes.map(({ id }, at) => [id, `step ${at}`]));
    const keyOf = (id: string) => keys.get(id) ?? id;
    for (const { id, width, height } of boxes) graph.setNode(keyOf(id), { width, height });
    for (const { from, to } of links) graph.setEdge(keyOf(from), keyOf(to), {});
    layout(graph);
    const { width = 0, height = 0 } = graph.graph();
    const middles = boxes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(keyOf(id));
      return { x, y };
    });
    const turn = isMirrored(middles) ? ({ x, y }: Point) => ({ x: width - x, y }) : (point: Point) => point;
    const corners = boxes.map((box, at) => {
      const { x, y } = turn(middles[at] ?? { x: 0, y: 0 });
      return [box.id, { x: Math.round(x - box.width / 2), y: Math.round(y - box.height / 2) }] as const;
    });
    return {
      width: Math.ceil(width),
      height: Math.ceil(height),
      corners: new Map(corners),
      // The first and the last point are where a line leaves and meets a box.
      bends: links.map(({ from, to }) => (graph.edge(keyOf(from), keyOf(to)).points ?? []).slice(1, -1).map(turn)),
    };
  };
}

/** Whether most steps beside each other stand in the opposite order of the file. */
function isMirrored(middles: readonly Point[]): boolean {
  let turned = 0;
  middles.forEach((one, at) => {
    for (const later of middles.slice(at + 1)) if (later.y === one.y) turned += Math.sign(one.x - later.x);
  });
  return turned > 0;
}
