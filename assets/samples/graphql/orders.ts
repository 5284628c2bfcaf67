/** Sample data of an invented tea house: customers, products and orders, made by arithmetic so that they never change. */

export interface Customer {
  id: string;
  name: string;
  city: string;
}

export interface Product {
  id: string;
  name: string;
  /** Cents. */
  price: number;
}

export interface Line {
  product: Product;
  quantity: number;
}

export interface Order {
  id: string;
  status: 'OPEN' | 'SHIPPED' | 'RETURNED';
  placed: string;
  customer: Customer;
  lines: Line[];
}

export const CUSTOMERS: readonly Customer[] = [
  { id: 'c1', name: 'Ines Falk', city: 'Ostmoor' },
  { id: 'c2', name: '周若彤', city: '宁海' },
  { id: 'c3', name: 'Tomas Reka', city: 'Norholm' },
  { id: 'c4', name: 'Hana Mori', city: 'Ostmoor' },
];

export const PRODUCTS: readonly Product[] = [
  { id: 'p1', name: 'Smoked pine tea', price: 1450 },
  { id: 'p2', name: 'White peony', price: 2900 },
  { id: 'p3', name: 'Clay cup', price: 1990 },
];

const STATUSES = ['OPEN', 'SHIPPED', 'SHIPPED', 'RETURNED', 'OPEN'] as const;

function pick<One>(list: readonly One[], index: number): One {
  const found = list[index % list.length];
  if (found === undefined) throw new RangeError('an empty list');
  return found;
}

export const ORDERS: readonly Order[] = Array.from({ length: 24 }, (_, index) => ({
  id: `o${String(index + 1).padStart(2, '0')}`,
  status: pick(STATUSES, index * 7),
  placed: `2026-${String((index % 9) + 1).padStart(2, '0')}-${String(((index * 5) % 27) + 1).padStart(2, '0')}`,
  customer: pick(CUSTOMERS, index * 3 + (index >> 2)),
  lines: [
    { product: pick(PRODUCTS, index), quantity: (index % 4) + 1 },
    ...(index % 3 === 0 ? [{ product: pick(PRODUCTS, index + 1), quantity: 1 }] : []),
  ],
}));
