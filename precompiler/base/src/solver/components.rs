//! What goes round in circles, and an order for the rest.

/// Nodes that lead to each other, last ones first (Tarjan, without recursion); `next` says where the edge of a node with a
/// number leads, and none behind its last one.
pub fn components(
    count: usize,
    first: impl IntoIterator<Item = usize>,
    mut next: impl FnMut(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    let mut number = vec![0_u32; count];
    let mut low = vec![0_u32; count];
    let mut is_open = vec![false; count];
    let (mut stack, mut path) = (Vec::new(), Vec::<(usize, usize)>::new());
    let (mut last, mut found) = (0, Vec::new());
    for start in first {
        if number[start] != 0 {
            continue;
        }
        path.push((start, 0));
        while let Some((node, edge)) = path.last_mut() {
            let (here, at) = (*node, *edge);
            *edge += 1;
            if at == 0 {
                last += 1;
                number[here] = last;
                low[here] = last;
                stack.push(here);
                is_open[here] = true;
            }
            if let Some(to) = next(here, at) {
                if number[to] == 0 {
                    path.push((to, 0));
                } else if is_open[to] {
                    low[here] = low[here].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[here]);
            }
            if low[here] == number[here] {
                let begin = stack.iter().rposition(|one| *one == here);
                let component = stack.split_off(begin.unwrap_or(0));
                component.iter().for_each(|one| is_open[*one] = false);
                found.push(component);
            }
        }
    }
    found
}

/// The nodes that some lead to, these included; one comes behind all that it leads to, but where they go round in circles.
pub fn postorder(
    count: usize,
    first: impl IntoIterator<Item = usize>,
    mut next: impl FnMut(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    for start in first {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, edge)) = path.last_mut() {
            match next(*node, *edge) {
                Some(to) => {
                    *edge += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => order.extend(path.pop().map(|(node, _)| node)),
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [&[usize]; 5] = [&[1, 2], &[3], &[1], &[1, 4], &[]];

    fn edge(node: usize, at: usize) -> Option<usize> {
        EDGES[node].get(at).copied()
    }

    #[test]
    fn what_is_led_to_comes_first_and_circles_together() {
        let found = components(5, 0..5, edge);
        assert_eq!(found, [vec![4], vec![1, 3], vec![2], vec![0]]);
        assert_eq!(components(5, [4], edge), [vec![4]]);
    }

    #[test]
    fn a_node_comes_behind_what_it_leads_to() {
        assert_eq!(postorder(5, [2], edge), [4, 3, 1, 2]);
    }
}
