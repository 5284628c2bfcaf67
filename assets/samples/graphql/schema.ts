/** The schema of the sample and what answers it. Everything runs in the page: there is no server. */
import { buildSchema, graphql, type ExecutionResult } from 'graphql';
import { CUSTOMERS, ORDERS, PRODUCTS, type Order } from './orders';

export const SCHEMA = `enum OrderStatus {
  OPEN
  SHIPPED
  RETURNED
}

type Customer {
  id: ID!
  name: String!
  city: String!
  orders: [Order!]!
}

type Product {
  id: ID!
  name: String!
  "In cents."
  price: Int!
}

type Line {
  product: Product!
  quantity: Int!
}

type Order {
  id: ID!
  status: OrderStatus!
  "The day, as YYYY-MM-DD."
  placed: String!
  customer: Customer!
  lines: [Line!]!
  "Sum of all lines, in cents."
  total: Int!
}

type Query {
  "Orders, the newest first."
  orders(status: OrderStatus, city: String, limit: Int = 20): [Order!]!
  order(id: ID!): Order
  customers(city: String): [Customer!]!
  products: [Product!]!
}
`;

const schema = buildSchema(SCHEMA);

const shown = (order: Order): object => ({
  ...order,
  customer: shownCustomer(order.customer.id),
  total: order.lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0),
});

function shownCustomer(id: string): object | null {
  const found = CUSTOMERS.find((customer) => customer.id === id);
  if (found === undefined) return null;
  return { ...found, orders: () => ORDERS.filter(({ customer }) => customer.id === id).map(shown) };
}

const root = {
  orders: ({ status, city, limit }: { status?: string; city?: string; limit: number }) =>
    ORDERS.filter(
      (order) => (status ?? order.status) === order.status && (city ?? order.customer.city) === order.customer.city,
    )
      .toSorted((a, b) => b.placed.localeCompare(a.placed))
      .slice(0, limit)
      .map(shown),
  order: ({ id }: { id: string }) => {
    const found = ORDERS.find((order) => order.id === id);
    return found === undefined ? null : shown(found);
  },
  customers: ({ city }: { city?: string }) =>
    CUSTOMERS.filter((customer) => (city ?? customer.city) === customer.city).map(({ id }) => shownCustomer(id)),
  products: () => PRODUCTS,
};

/** Runs a query; what is wrong with it stands in `errors`, as every GraphQL server tells it. */
export function run(source: string, variables: Record<string, unknown>): Promise<ExecutionResult> {
  return graphql({ schema, source, rootValue: root, variableValues: variables });
}
