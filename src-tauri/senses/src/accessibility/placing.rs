//! Reading order and labels by where objects stand. Some toolkits list the children of forms in any order and tell no
//! labels. Pure.

use shidi_protocol::Area;

/// Pixels between a field and the label above it.
const GAP_ABOVE: i64 = 40;

/// Pixels between a field and the label to its left.
const GAP_BESIDE: i64 = 400;

/// The numbers of these objects line by line, each line from left to right; those of no place come last.
#[must_use]
pub fn reading_order(places: &[Option<Area>]) -> Vec<usize> {
    let mut placed: Vec<(usize, Area)> = places
        .iter()
        .enumerate()
        .filter_map(|(number, place)| place.map(|place| (number, place)))
        .collect();
    placed.sort_by_key(|(_, place)| (middle(place), place.x));
    let mut order = Vec::with_capacity(places.len());
    let mut line: Vec<(usize, Area)> = Vec::new();
    for (number, place) in placed {
        if line.first().is_some_and(|(_, first)| !is_beside(first, &place)) {
            end(&mut line, &mut order);
        }
        line.push((number, place));
    }
    end(&mut line, &mut order);
    order.extend((0..places.len()).filter(|number| places[*number].is_none()));
    order
}

fn end(line: &mut Vec<(usize, Area)>, order: &mut Vec<usize>) {
    line.sort_by_key(|(_, place)| place.x);
    order.extend(line.drain(..).map(|(number, _)| number));
}

/// Which of `labels` stands at a field: on its line to the left, else right above it.
#[must_use]
pub fn label_of(field: Area, labels: &[(usize, Area)]) -> Option<usize> {
    let beside = labels.iter().filter(|(_, label)| is_beside(label, &field));
    let beside = beside.map(|(number, label)| (i64::from(field.x) - right(label), number));
    let beside = beside.filter(|(gap, _)| (-4..GAP_BESIDE).contains(gap));
    let above = labels.iter().filter(|(_, label)| {
        let gap = i64::from(field.y) - bottom(label);
        (-4..GAP_ABOVE).contains(&gap)
            && i64::from(label.x) < right(&field)
            && right(label) > i64::from(field.x)
    });
    let above = above.map(|(number, label)| (i64::from(field.y) - bottom(label), number));
    let nearest = beside.min().or_else(|| above.min());
    nearest.map(|(_, number)| *number)
}

/// Whether two objects stand on one line: the middle of one lies within the other.
fn is_beside(one: &Area, other: &Area) -> bool {
    let within = |inner: &Area, outer: &Area| {
        let middle = middle(inner);
        i64::from(outer.y) * 2 <= middle && middle <= bottom(outer) * 2
    };
    within(one, other) || within(other, one)
}

/// Twice the height of the middle, so that it is a whole number.
fn middle(place: &Area) -> i64 {
    i64::from(place.y) * 2 + i64::from(place.height)
}

fn right(place: &Area) -> i64 {
    i64::from(place.x) + i64::from(place.width)
}

fn bottom(place: &Area) -> i64 {
    i64::from(place.y) + i64::from(place.height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(x: i32, y: i32, width: u32, height: u32) -> Area {
        Area { x, y, width, height }
    }

    #[test]
    fn a_form_is_read_line_by_line_whatever_order_its_toolkit_tells() {
        // Email, its label, first name, its label: as GTK lists a grid.
        let places = [
            Some(at(120, 50, 200, 30)),
            Some(at(10, 55, 60, 20)),
            Some(at(120, 10, 200, 30)),
            Some(at(10, 16, 90, 20)),
            None,
        ];
        assert_eq!(reading_order(&places), [3, 2, 1, 0, 4]);
    }

    #[test]
    fn a_field_has_the_label_to_its_left_else_the_one_above() {
        let labels = [
            (7, at(10, 16, 90, 20)),
            (8, at(10, 55, 60, 20)),
            (9, at(120, 80, 60, 20)),
        ];
        assert_eq!(label_of(at(120, 10, 200, 30), &labels), Some(7));
        assert_eq!(label_of(at(120, 50, 200, 30), &labels), Some(8));
        assert_eq!(label_of(at(120, 104, 200, 30), &labels), Some(9));
        assert_eq!(label_of(at(120, 300, 200, 30), &labels), None);
    }

    proptest! {
        #[test]
        fn every_object_is_read_once(places in prop::collection::vec(prop::option::of(
            (any::<i32>(), any::<i32>(), any::<u32>(), any::<u32>()).prop_map(|(x, y, width, height)| at(x, y, width, height))), 0..30)) {
            let mut order = reading_order(&places);
            order.sort_unstable();
            prop_assert_eq!(order, (0..places.len()).collect::<Vec<_>>());
        }
    }
}
