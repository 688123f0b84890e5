//! Which materials there are, and how they may be turned and swapped.

use retrograde_rules::{Interchange, Material, MaterialError, Symmetry};

use crate::kings::game;

#[test]
fn any_number_of_kings_but_one_at_least() {
    let kings = game("kings");
    for (given, normal) in [
        ("KKvK", "KKvK"),
        ("KvKK", "KKvK"),
        ("KQvKK", "KKvKQ"),
        ("KKRRvKK", "KKRRvKK"),
        ("KPvKK", "KKvKP"),
        ("KKKKKKvK", "KKKKKKvK"),
    ] {
        let material = Material::parse(kings, given).unwrap();
        assert_eq!(material.normal(kings).0.to_string(), normal);
    }
    for given in ["QvK", "KvR", "Kv", "vKK"] {
        let error = Material::parse(kings, given).unwrap_err();
        assert!(matches!(error, MaterialError::NoKing { .. }), "{error}");
    }
    // Without the v it is not said whose a king is.
    for given in ["KKK", "KQKR", "KK", ""] {
        let error = Material::parse(kings, given).unwrap_err();
        assert!(matches!(error, MaterialError::Sides { .. }), "{error}");
    }
}

#[test]
fn symmetries_and_interchange() {
    use Interchange::{HalfTurn, MirrorFiles, MirrorRanks, Never, Plain};
    use Symmetry::{Files, Full, None};
    const H8_RANK1: &str = "kings:black-corner=h8,tie-break=rank1";
    for (id, name, symmetry, interchange) in [
        ("kings", "KQvKR", Full, MirrorRanks),
        ("kings", "KPvK", None, MirrorRanks),
        ("kings", "KKvKP", None, MirrorRanks),
        ("kings:promote-to-king=off", "KPvKP", Files, MirrorRanks),
        ("kings:black-corner=h8", "KKvK", None, HalfTurn),
        ("kings:black-corner=h8", "KPvK", None, HalfTurn),
        ("kings:black-corner=h8", "KQvK", Full, MirrorRanks),
        ("kings:tie-break=rank1", "KPvK", None, Never),
        ("kings:tie-break=rank1", "KKvK", None, Plain),
        (H8_RANK1, "KKvK", None, MirrorFiles),
        (H8_RANK1, "KKvKP", None, Never),
        ("wild9", "KPvK", Files, MirrorRanks),
        ("wild9", "KQvKR", Full, MirrorRanks),
        ("wild9", "KKvKQ", None, Plain),
        ("wild9", "KKPvK", None, Never),
        ("wild9", "KKvKP", None, Never),
    ] {
        let game = game(id);
        let material = Material::parse(game, name).unwrap();
        assert_eq!(game.symmetry(&material), symmetry, "{id} {name}");
        assert_eq!(game.interchange(&material), interchange, "{id} {name}");
        if interchange == Never {
            // Both colourings are tables of their own.
            let swapped = material.swapped();
            assert_ne!(swapped, material);
            assert_eq!(material.normal(game), (material, false));
            assert_eq!(swapped.normal(game), (swapped, false));
        }
    }
}
