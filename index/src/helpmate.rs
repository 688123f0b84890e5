//! Values of helpmate tables: which sides can be mated.

use retrograde_rules::Colour;

/// Which sides can be mated from a position by some series of legal moves of both
/// sides (O5). A position from which neither can is dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Helpmate {
    /// Whether White can be mated.
    pub white: bool,
    /// Whether Black can be mated.
    pub black: bool,
}

impl Helpmate {
    /// Neither side can be mated.
    pub const DEAD: Helpmate = Helpmate {
        white: false,
        black: false,
    };

    /// One side can be mated, as far as is known.
    pub const fn of_mated(side: Colour) -> Helpmate {
        match side {
            Colour::White => Helpmate {
                white: true,
                black: false,
            },
            Colour::Black => Helpmate {
                white: false,
                black: true,
            },
        }
    }

    /// Whether a side can be mated.
    #[inline]
    pub const fn can_be_mated(self, side: Colour) -> bool {
        match side {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// Whether neither side can be mated.
    #[inline]
    pub const fn is_dead(self) -> bool {
        !self.white && !self.black
    }

    /// The sides that can be mated by this or by another.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Helpmate) -> Helpmate {
        Helpmate {
            white: self.white || other.white,
            black: self.black || other.black,
        }
    }

    /// The same with the colours swapped.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Helpmate {
        Helpmate {
            white: self.black,
            black: self.white,
        }
    }

    /// The value of [`Metric::Helpmate`](crate::Metric::Helpmate): 1 if White can be
    /// mated, plus 2 if Black can.
    #[inline]
    pub const fn to_value(self) -> i16 {
        self.white as i16 | (self.black as i16) << 1
    }

    /// What a value of [`Metric::Helpmate`](crate::Metric::Helpmate) says; bits above
    /// the lowest two are ignored.
    #[inline]
    pub const fn from_value(value: i16) -> Helpmate {
        Helpmate {
            white: value & 1 != 0,
            black: value & 2 != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    #[test]
    fn values_are_two_bits() {
        for value in -9..=9 {
            let round = Helpmate::from_value(value).to_value();
            assert_eq!(round == value, Metric::Helpmate.allows(value), "{value}");
        }
        let white = Helpmate::of_mated(Colour::White);
        assert_eq!((white.to_value(), white.swapped().to_value()), (1, 2));
        assert!(white.can_be_mated(Colour::White) && !white.can_be_mated(Colour::Black));
        assert_eq!(white.or(white.swapped()).to_value(), 3);
        assert!(Helpmate::DEAD.is_dead() && !white.is_dead());
    }
}
