//! Which materials there are, and how they may be turned and swapped.

use retrograde_rules::{Interchange, Material, MaterialError, Symmetry};

use crate::extinction::{BASE, MATING};

#[test]
fn materials_need_no_kings() {
    for game in [*MATING, *BASE] {
        for (given, normal) in [
            ("QvR", "QvR"),
            ("RvQ", "QvR"),
            ("RNvRB", "RBvRN"),
            ("RBvRN", "RBvRN"),
            ("KvQN", "QNvK"),
            ("QNvK", "QNvK"),
            ("NvPP", "PPvN"),
            ("KKvQ", "KKvQ"),
            ("PvK", "KvP"),
            ("KQvKR", "KQvKR"),
        ] {
            let material = Material::parse(game, given).unwrap();
            assert_eq!(material.normal(game).0.to_string(), normal);
        }
        for given in ["Qv", "vQ", "v"] {
            let error = Material::parse(game, given).unwrap_err();
            assert!(matches!(error, MaterialError::NoPieces { .. }), "{error}");
            assert!(error.to_string().ends_with("write material like QvR"));
        }
        for given in ["QR", "KQKR", "", "QvRvN"] {
            let error = Material::parse(game, given).unwrap_err();
            assert!(matches!(error, MaterialError::Sides { .. }), "{error}");
        }
        assert!(Material::parse(game, "QvA").is_err());
    }
}

#[test]
fn kingless_materials_exist_in_these_games_only() {
    use retrograde_rules::Game;
    for id in ["orthodox", "high-chess", "kings", "wild9"] {
        let game = Game::parse(id).unwrap();
        for name in ["QvR", "RNvRB", "QNvK"] {
            assert!(Material::parse(game, name).is_err(), "{id} {name}");
        }
    }
}

#[test]
fn symmetries_and_interchange() {
    for game in [*MATING, *BASE] {
        for (name, symmetry) in [
            ("QvR", Symmetry::Full),
            ("KKvK", Symmetry::Full),
            ("KPvK", Symmetry::Files),
            ("QvP", Symmetry::Files),
        ] {
            let material = Material::parse(game, name).unwrap();
            assert_eq!(game.symmetry(&material), symmetry, "{name}");
            assert_eq!(game.interchange(&material), Interchange::MirrorRanks);
        }
    }
}
