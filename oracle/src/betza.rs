//! Reads Betza's notation into the leaps and rides of a piece, without the rules crate's code.

/// Steps in one direction, seen by the player: Black's left is towards the last file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ray {
    pub dx: i32,
    pub dy: i32,
    /// The number of steps that may be made; 1 for a leap.
    pub limit: i32,
    pub quiet: bool,
    pub captures: bool,
}

/// Reads parts such as `K`, `BN`, `W4`, `fFsW` or `mNcB` and adds them up.
pub(crate) fn read(text: &str) -> Result<Vec<Ray>, String> {
    let mut rays: Vec<Ray> = Vec::new();
    let mut rest = text.chars().peekable();
    if text.is_empty() {
        return Err("no moves are given".into());
    }
    while rest.peek().is_some() {
        let mut directions = String::new();
        let (mut quiet, mut captures) = (false, false);
        while let Some(c) = rest.next_if(char::is_ascii_lowercase) {
            match c {
                'm' => quiet = true,
                'c' => captures = true,
                'f' | 'b' | 's' | 'v' | 'l' | 'r' => directions.push(c),
                _ => return Err(format!("{text}: {c} is no modifier")),
            }
        }
        if !quiet && !captures {
            (quiet, captures) = (true, true);
        }
        let letter = rest
            .next()
            .ok_or_else(|| format!("{text}: ends within a part"))?;
        let mut doubled = false;
        while rest.next_if_eq(&letter).is_some() {
            doubled = true;
        }
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let number: Option<i32> = digits.parse().ok();
        let rides = doubled || "RBQ".contains(letter);
        let limit = match number {
            Some(0) => i32::MAX,
            Some(number) => number,
            None if rides => i32::MAX,
            None => 1,
        };
        let atoms: &[(i32, i32)] = match letter {
            'W' | 'R' => &[(0, 1)],
            'F' | 'B' => &[(1, 1)],
            'K' | 'Q' => &[(0, 1), (1, 1)],
            'D' => &[(0, 2)],
            'N' => &[(1, 2)],
            'A' => &[(2, 2)],
            'H' => &[(0, 3)],
            'C' => &[(1, 3)],
            'Z' => &[(2, 3)],
            _ => return Err(format!("{text}: {letter} is no piece of Betza's")),
        };
        for &(short, long) in atoms {
            for (dx, dy) in [(short, long), (long, short)] {
                for (dx, dy) in [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy)] {
                    let ray = Ray {
                        dx,
                        dy,
                        limit,
                        quiet,
                        captures,
                    };
                    if points(&directions, dx, dy) && !rays.contains(&ray) {
                        rays.push(ray);
                    }
                }
            }
        }
    }
    Ok(rays)
}

/// Whether one of the directions allows a step.
///
/// Along a rank or file each letter stands for itself. Elsewhere letters of different axes, and
/// equal letters, are pairs. A diagonal step must fit both letters. For an oblique leap the second
/// letter names the axis of the long side: `ff` goes farther ahead than aside, `fs` the other way
/// round; a lone letter stands for itself twice.
fn points(directions: &str, dx: i32, dy: i32) -> bool {
    let letters: Vec<char> = directions.chars().collect();
    let towards = |c: char| match c {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        'r' => dx > 0,
        's' => dx != 0,
        _ => dy != 0,
    };
    if letters.is_empty() {
        return true;
    }
    if dx == 0 || dy == 0 {
        return letters.iter().any(|c| towards(*c));
    }
    let upright = |c: char| matches!(c, 'f' | 'b' | 'v');
    let mut rest = letters.into_iter().peekable();
    while let Some(first) = rest.next() {
        let second = rest.next_if(|second| *second == first || upright(*second) != upright(first));
        let second = second.unwrap_or(first);
        let oblique = dx.abs() != dy.abs();
        let along = upright(second) == (dy.abs() > dx.abs());
        if towards(first) && towards(second) && (!oblique || along) {
            return true;
        }
    }
    false
}
