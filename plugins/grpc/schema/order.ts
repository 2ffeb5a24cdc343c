/**
 * Puts things that need each other in order.
 *
 * @module
 */

/** A node on the way from the first one to what it needs. */
interface Step<Node> {
  readonly node: Node;
  readonly needs: Iterator<Node>;
}

/**
 * Groups of nodes, those that are needed first. Nodes of one group need each other in a circle;
 * mostly there is one node in each. After R. Tarjan, Depth-first search and linear graph
 * algorithms, 1972; without recursion, since servers decide how long the chains are.
 */
export function groupByNeed<Node>(
  nodes: Iterable<Node>,
  needsOf: (node: Node) => Iterable<Node>,
): Node[][] {
  const groups: Node[][] = [];
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  const isOpen = new Set<Node>();
  const lower = (node: Node, to = Infinity) =>
    lowest.set(node, Math.min(lowest.get(node) ?? Infinity, to));
  const visit = (first: Node) => {
    const path: Step<Node>[] = [];
    const enter = (node: Node) => {
      order.set(node, order.size);
      lowest.set(node, order.size - 1);
      open.push(node);
      isOpen.add(node);
      path.push({ node, needs: needsOf(node)[Symbol.iterator]() });
    };
    enter(first);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step;
      const next = step.needs.next();
      if (next.done !== true) {
        if (!order.has(next.value)) enter(next.value);
        else if (isOpen.has(next.value)) lower(node, order.get(next.value));
        continue;
      }
      path.pop();
      const around = path.at(-1);
      if (around !== undefined) lower(around.node, lowest.get(node));
      if (lowest.get(node) !== order.get(node)) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const member of group) isOpen.delete(member);
      groups.push(group);
    }
  };
  for (const node of nodes) {
    if (!order.has(node)) visit(node);
  }
  return groups;
}
