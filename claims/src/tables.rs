//! Keeps all values of a material in memory, for claims that look up positions and successors.
//!
//! They are let go when others need the memory.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_folder::{Reader, open_needed, read_side};
use retrograde_index::{Helpmate, Index, Metric, Reindexing, ThresholdCurve, Wdl, needs, score};
use retrograde_probe::{ProbeError, Tablebase, WinBy};
use retrograde_rules::{
    BareKings, Colour, Counters, End, Game, Interchange, LastOfType, Material, MoveKind, Piece,
    PieceType, Position, Square,
};

use crate::error::ClaimError;

/// The most bytes of values that are kept for later. Values in use are kept in any case.
const MOST_BYTES: usize = 2 << 30;

/// All values of a material, of one kind.
pub(crate) trait Volume: Send + Sync + Sized + 'static {
    /// Reads the values of a material in normal form.
    fn read(game: Game, material: &Material, folders: &[&Path]) -> Result<Self, ClaimError>;

    /// The index of the values.
    fn index(&self) -> &Index;

    /// The bytes that the values take.
    fn bytes(&self) -> usize;
}

/// A game, a material, and the kind of values.
type VolumeKey = (Game, Material, TypeId);

/// Values that have been read, the most recently used last, with their bytes.
#[derive(Default)]
struct Recent {
    volumes: Vec<(VolumeKey, Arc<dyn Any + Send + Sync>, usize)>,
}

impl Recent {
    fn take(&mut self, key: VolumeKey) -> Option<Arc<dyn Any + Send + Sync>> {
        let place = self.volumes.iter().position(|(k, ..)| *k == key)?;
        let volume = self.volumes.remove(place);
        self.volumes.push(volume.clone());
        Some(volume.1)
    }

    fn put(&mut self, key: VolumeKey, volume: Arc<dyn Any + Send + Sync>, bytes: usize) {
        self.volumes.retain(|(k, ..)| *k != key);
        self.volumes.push((key, volume, bytes));
        let mut bytes: usize = self.volumes.iter().map(|(.., bytes)| bytes).sum();
        while bytes > MOST_BYTES && self.volumes.len() > 1 {
            bytes -= self.volumes.remove(0).2;
        }
    }
}

/// A library of the tables in some folders, each read whole when it is first needed.
pub(crate) struct Library {
    folders: Vec<PathBuf>,
    recent: Mutex<Recent>,
    bases: Mutex<HashMap<Game, Arc<Tablebase>>>,
    /// Whether a test has put other values in place of those of the files.
    doctored: AtomicBool,
}

impl Library {
    /// The tables in these folders, an earlier folder taking precedence.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Library {
        Library {
            folders,
            recent: Mutex::default(),
            bases: Mutex::default(),
            doctored: AtomicBool::default(),
        }
    }

    fn folders(&self) -> Vec<&Path> {
        self.folders.iter().map(PathBuf::as_path).collect()
    }

    /// The tablebase that answers for single positions of a game.
    pub(crate) fn probe(&self, game: Game) -> Result<Arc<Tablebase>, ClaimError> {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(base) = bases.get(&game) {
            return Ok(Arc::clone(base));
        }
        let base = Arc::new(Tablebase::open(game, &self.folders)?);
        bases.insert(game, Arc::clone(&base));
        Ok(base)
    }

    /// Forgets which files there are, because more have been made.
    pub(crate) fn refresh(&self) {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        bases.clear();
    }

    fn keep<V: Volume>(&self, game: Game, material: &Material, volume: V) -> Arc<V> {
        let (bytes, volume) = (volume.bytes(), Arc::new(volume));
        let key = (game, *material, TypeId::of::<V>());
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.put(key, Arc::clone(&volume) as Arc<_>, bytes);
        volume
    }

    /// The values of a material in normal form.
    pub(crate) fn read<V: Volume>(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<V>, ClaimError> {
        let key = (game, *material, TypeId::of::<V>());
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let known = recent.take(key);
        drop(recent);
        match known.map(Arc::downcast::<V>) {
            Some(Ok(volume)) => Ok(volume),
            _ => {
                let volume = V::read(game, material, &self.folders())?;
                Ok(self.keep(game, material, volume))
            }
        }
    }

    /// The results and depths of a material in normal form, of a game without vitality.
    pub(crate) fn depths(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<Results>, ClaimError> {
        let results: Arc<Results> = self.read(game, material)?;
        if !results.dtm[0].is_empty() {
            return Ok(results);
        }
        let with_depths = results.with_depths(game, material, &self.folders())?;
        Ok(self.keep(game, material, with_depths))
    }

    /// Whether values need not be those of the files.
    pub(crate) fn is_doctored(&self) -> bool {
        self.doctored.load(Ordering::Relaxed)
    }

    /// Puts other values in place of those of the files, for tests.
    #[cfg(test)]
    pub(crate) fn put<V: Volume>(&self, game: Game, material: &Material, volume: V) {
        self.doctored.store(true, Ordering::Relaxed);
        self.keep(game, material, volume);
    }
}

/// The results and depths of a material, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    index: Index,
    /// WDL values by side to move and index, as in tables.
    wdl: [Vec<i8>; 2],
    /// DTM values by side to move and index, as in tables; empty unless asked for.
    dtm: [Vec<i16>; 2],
}

impl Volume for Results {
    fn read(game: Game, material: &Material, folders: &[&Path]) -> Result<Results, ClaimError> {
        let index = Index::new(game, material)?;
        let wdl = read(game, material, Metric::Wdl, folders, &index, |value| {
            value as i8
        })?;
        let dtm = Default::default();
        Ok(Results { index, wdl, dtm })
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn bytes(&self) -> usize {
        self.wdl.iter().map(Vec::len).sum::<usize>()
            + 2 * self.dtm.iter().map(Vec::len).sum::<usize>()
    }
}

impl Results {
    /// Adds the depths to these results.
    fn with_depths(
        &self,
        game: Game,
        material: &Material,
        folders: &[&Path],
    ) -> Result<Results, ClaimError> {
        let dtm = read(game, material, Metric::Dtm, folders, &self.index, |value| {
            value
        })?;
        Ok(Results {
            dtm,
            ..self.clone()
        })
    }

    /// The result for the side to move.
    #[inline]
    pub(crate) fn wdl(&self, turn: Colour, index: u64) -> Wdl {
        Wdl::from_value(self.wdl[turn.index()][index as usize].into())
    }

    /// Plies to the end; `None` for draws, and if depths were not asked for.
    #[inline]
    pub(crate) fn plies(&self, turn: Colour, index: u64) -> Option<u32> {
        let depth = self.dtm[turn.index()].get(index as usize);
        depth.and_then(|&depth| score::plies(depth))
    }

    /// A material with made-up results and depths, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        wdl: impl Fn(Colour, u64) -> Wdl,
    ) -> Results {
        let index = Index::new(game, material).unwrap();
        let sides = Colour::BOTH.map(|turn| {
            (0..index.len())
                .map(|n| wdl(turn, n).to_value() as i8)
                .collect()
        });
        let dtm =
            Colour::BOTH.map(|turn| (0..index.len()).map(|n| wdl(turn, n).to_value()).collect());
        Results {
            index,
            wdl: sides,
            dtm,
        }
    }

    /// Replaces values by others, for tests: all for which `change` says so.
    #[cfg(test)]
    pub(crate) fn doctor(&mut self, change: impl Fn(Colour, u64, Wdl) -> Wdl) {
        for (turn, wdl) in Colour::BOTH.into_iter().zip(&mut self.wdl) {
            for (index, value) in (0..).zip(wdl) {
                let new = change(turn, index, Wdl::from_value((*value).into()));
                *value = new.to_value() as i8;
            }
        }
    }
}

/// All values of a metric by side to move, in the order of `index`.
fn read<T: Copy + Default>(
    game: Game,
    material: &Material,
    metric: Metric,
    folders: &[&Path],
    index: &Index,
    convert: impl Fn(i16) -> T,
) -> Result<[Vec<T>; 2], ClaimError> {
    let table = open_needed(game, material, metric, folders)?;
    read_by(&table, index, |_, value| convert(value))
}

/// All values of a table by side to move, in the order of `index`; they are converted with
/// their index in the table.
fn read_by<T: Copy + Default>(
    table: &Reader,
    index: &Index,
    convert: impl Fn(u64, i16) -> T,
) -> Result<[Vec<T>; 2], ClaimError> {
    let mut sides = [(); 2].map(|()| vec![T::default(); index.len() as usize]);
    let Some(reindexing) = Reindexing::new(table.index(), index) else {
        unreachable!("tables of a material have its index");
    };
    for (turn, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let mut values = (0..).zip(read_side(table, turn)?);
        reindexing.each(0..index.len(), |index| {
            let (at, value) = values.next().unwrap_or_default();
            side[index as usize] = convert(at, value);
        });
    }
    Ok(sides)
}

/// The curves and needs of a material, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Curves {
    index: Index,
    /// Every curve of the material.
    list: Vec<Curve>,
    /// The place of a position's curve in the list.
    places: [Vec<u32>; 2],
    /// The needs of White and Black to force mate.
    mates: [Vec<[u8; 2]>; 2],
}

/// A threshold curve, written out for reading it fast.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// White's needs, by what Black has, from 1 on.
    pub(crate) white_needs: Vec<u8>,
    /// Black's needs, by what White has, from 1 on.
    pub(crate) black_needs: Vec<u8>,
}

impl Curve {
    fn new(curve: ThresholdCurve) -> Curve {
        let white_needs = curve.iter().collect();
        let black_needs = curve
            .counters()
            .of(Colour::White)
            .map(|white| curve.black_needs(white))
            .collect();
        Curve {
            white_needs,
            black_needs,
        }
    }

    /// The needs of a side, by what the other has, from 1 on.
    #[inline]
    pub(crate) fn needs(&self, side: Colour) -> &[u8] {
        match side {
            Colour::White => &self.white_needs,
            Colour::Black => &self.black_needs,
        }
    }
}

impl Volume for Curves {
    fn read(game: Game, material: &Material, folders: &[&Path]) -> Result<Curves, ClaimError> {
        let index = Index::new(game, material)?;
        let mates = read(game, material, Metric::Mates, folders, &index, needs::split)?;
        let table = open_needed(game, material, Metric::Thresholds, folders)?;
        let places = read_by(&table, &index, |at, value| {
            table.curve_place_or_first(at, value) as u32
        })?;
        let list = table.header().curves.iter();
        Ok(Curves {
            list: list.map(|&curve| Curve::new(curve)).collect(),
            index,
            places,
            mates,
        })
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn bytes(&self) -> usize {
        let list = self.list.len() * (size_of::<Curve>() + 100);
        list + self.places.iter().map(|p| 6 * p.len()).sum::<usize>()
    }
}

impl Curves {
    /// All curves of the material.
    pub(crate) fn list(&self) -> &[Curve] {
        &self.list
    }

    /// The place of the curve of a position in the list.
    #[inline]
    pub(crate) fn place(&self, turn: Colour, index: u64) -> usize {
        self.places[turn.index()][index as usize] as usize
    }

    /// The curve of a position.
    #[inline]
    pub(crate) fn curve(&self, turn: Colour, index: u64) -> &Curve {
        &self.list[self.place(turn, index)]
    }

    /// The needs of White and Black to force mate.
    #[inline]
    pub(crate) fn mates(&self, turn: Colour, index: u64) -> [u8; 2] {
        self.mates[turn.index()][index as usize]
    }

    /// The winner with these counters, both 1 or more.
    #[inline]
    pub(crate) fn winner(&self, turn: Colour, index: u64, counters: Counters) -> Colour {
        let needs = &self.curve(turn, index).white_needs;
        match needs.get(usize::from(counters.black) - 1) {
            Some(&needs) if needs <= counters.white => Colour::White,
            _ => Colour::Black,
        }
    }

    /// The winner with these counters, and the kind of win.
    #[inline]
    pub(crate) fn outcome(&self, turn: Colour, index: u64, counters: Counters) -> (Colour, WinBy) {
        let winner = self.winner(turn, index, counters);
        let by = match counters.of(winner) >= self.mates(turn, index)[winner.index()] {
            true => WinBy::Mate,
            false => WinBy::Exhaustion,
        };
        (winner, by)
    }

    /// A material with the same made-up values everywhere, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        curve: ThresholdCurve,
        mates: [u8; 2],
    ) -> Curves {
        let index = Index::new(game, material).unwrap();
        let len = index.len() as usize;
        Curves {
            index,
            list: vec![Curve::new(curve)],
            places: [(); 2].map(|()| vec![0; len]),
            mates: [(); 2].map(|()| vec![mates; len]),
        }
    }

    /// Replaces what is needed to force mate everywhere, for tests.
    #[cfg(test)]
    pub(crate) fn doctor_mates(&mut self, mates: [u8; 2]) {
        self.mates
            .iter_mut()
            .flatten()
            .for_each(|need| *need = mates);
    }

    /// Replaces the curve of every position that `change` has another for, for tests.
    #[cfg(test)]
    pub(crate) fn doctor(&mut self, change: impl Fn(Colour, u64) -> Option<ThresholdCurve>) {
        let mut known: Vec<(ThresholdCurve, u32)> = Vec::new();
        for turn in Colour::BOTH {
            for index in 0..self.index.len() {
                let Some(curve) = change(turn, index) else {
                    continue;
                };
                let place = known.iter().find(|(other, _)| *other == curve);
                let place = place.map_or(self.list.len() as u32, |(_, place)| *place);
                if place as usize == self.list.len() {
                    self.list.push(Curve::new(curve));
                    known.push((curve, place));
                }
                self.places[turn.index()][index as usize] = place;
            }
        }
    }
}

/// The values of a helpmate table, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Helpmates {
    index: Index,
    values: [Vec<u8>; 2],
}

impl Volume for Helpmates {
    fn read(game: Game, material: &Material, folders: &[&Path]) -> Result<Helpmates, ClaimError> {
        let index = Index::new(game, material)?;
        let values = read(game, material, Metric::Helpmate, folders, &index, |value| {
            value as u8
        })?;
        Ok(Helpmates { index, values })
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn bytes(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }
}

impl Helpmates {
    /// The sides that can be mated with the help of the other.
    #[inline]
    pub(crate) fn get(&self, turn: Colour, index: u64) -> Helpmate {
        Helpmate::from_value(self.values[turn.index()][index as usize].into())
    }

    /// A material with made-up values, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        value: impl Fn(Colour, u64) -> Helpmate,
    ) -> Helpmates {
        let index = Index::new(game, material).unwrap();
        let values = Colour::BOTH.map(|turn| {
            (0..index.len())
                .map(|n| value(turn, n).to_value() as u8)
                .collect()
        });
        Helpmates { index, values }
    }
}

/// The values of some materials, `V` being [`Results`] or [`Curves`].
pub(crate) struct Lookup<V> {
    game: Game,
    entries: Vec<Colouring<V>>,
}

struct Colouring<V> {
    /// The pieces as they stand on the board.
    colouring: Material,
    /// The swap of the colours that finds them in the table, if there is one.
    interchange: Option<Interchange>,
    values: Arc<V>,
}

impl<V: Volume> Lookup<V> {
    /// The values of one material.
    pub(crate) fn only(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Lookup<V>, ClaimError> {
        Lookup::of(library, game, &[*material])
    }

    /// The values of one material in both colourings, which may be tables of their own.
    pub(crate) fn both(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Lookup<V>, ClaimError> {
        Lookup::of(library, game, &[*material, material.swapped()])
    }

    /// The values of a material and of all that its moves lead to.
    pub(crate) fn around(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Lookup<V>, ClaimError> {
        let mut materials = successors(game, material);
        // Looked up most often.
        materials.insert(0, *material);
        Lookup::of(library, game, &materials)
    }

    /// The values of a material and of all that any number of moves leads to.
    pub(crate) fn beyond(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Lookup<V>, ClaimError> {
        Lookup::of(library, game, &descendants(game, material))
    }

    fn of(library: &Library, game: Game, materials: &[Material]) -> Result<Lookup<V>, ClaimError> {
        let mut entries: Vec<Colouring<V>> = Vec::new();
        for material in materials {
            let (normal, _) = material.normal(game);
            if game.needs_no_table(&normal) || entries.iter().any(|e| e.colouring == normal) {
                continue;
            }
            let values = library.read::<V>(game, &normal)?;
            for colouring in [normal, normal.swapped()] {
                let (same, swapped) = colouring.normal(game);
                if same == normal && !entries.iter().any(|e| e.colouring == colouring) {
                    entries.push(Colouring {
                        colouring,
                        interchange: swapped.then(|| game.interchange(&normal)),
                        values: Arc::clone(&values),
                    });
                }
            }
        }
        Ok(Lookup { game, entries })
    }

    /// The place of the value of a position without an e.p. right: its volume, the side to move
    /// there, and the index.
    #[inline]
    fn find(&self, position: &Position) -> Result<(&V, Colour, u64), ClaimError> {
        let material = position.material();
        let entry = self.entries.iter().find(|e| e.colouring == material);
        let found = entry.and_then(|entry| {
            let (turn, index) = entry.place(self.game, position)?;
            Some((&*entry.values, turn, index))
        });
        found.ok_or_else(|| self.missing(&material))
    }

    #[cold]
    fn missing(&self, material: &Material) -> ClaimError {
        let nowhere: [&Path; 0] = [];
        ProbeError::missing(self.game, material, None, &nowhere).into()
    }
}

impl<V: Volume> Colouring<V> {
    #[inline]
    fn place(&self, game: Game, position: &Position) -> Option<(Colour, u64)> {
        let geometry = game.geometry();
        let mut squares = [Square(0); Material::MOST_PIECES];
        let mut pieces = 0;
        let board = position.board();
        for colour in Colour::BOTH {
            let colour = self.interchange.map_or(colour, |_| colour.other());
            let mine = board.by(colour);
            for &piece_type in game.piece_types() {
                for square in mine & board.piece_type(piece_type) {
                    *squares.get_mut(pieces)? = match self.interchange {
                        Some(how) => how.image(geometry, square),
                        None => square,
                    };
                    pieces += 1;
                }
            }
        }
        let turn = self
            .interchange
            .map_or(position.turn(), |_| position.turn().other());
        let index = self.values.index().encode(squares.get(..pieces)?)?;
        Some((turn, index))
    }
}

/// The values of some materials of a game of either kind: who wins, with the counters of the
/// position if the game has such.
pub(crate) enum Standings {
    Results(Lookup<Results>),
    Curves(Lookup<Curves>),
}

impl Standings {
    /// The values of one material, with depths if there are any.
    pub(crate) fn only(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Standings, ClaimError> {
        let normal = material.normal(game).0;
        if game.vitality().is_none() && !game.needs_no_table(&normal) {
            library.depths(game, &normal)?;
        }
        Ok(match game.vitality() {
            None => Standings::Results(Lookup::only(library, game, material)?),
            Some(_) => Standings::Curves(Lookup::only(library, game, material)?),
        })
    }

    /// The result for the side to move.
    #[inline]
    pub(crate) fn wdl(&self, position: &Position) -> Result<Wdl, ClaimError> {
        match self {
            Standings::Results(results) => results.wdl(position),
            Standings::Curves(curves) => {
                let winner = curves.winner(position)?;
                Ok(Wdl::of_winner(Some(winner), position.turn()))
            }
        }
    }

    /// Plies to the end, if tables say them.
    #[inline]
    pub(crate) fn plies(&self, position: &Position) -> Result<Option<u32>, ClaimError> {
        match self {
            Standings::Results(results) if !results.entries.is_empty() => results.plies(position),
            Standings::Results(_) | Standings::Curves(_) => Ok(None),
        }
    }
}

impl Lookup<Results> {
    /// The result for the side to move, with the half-move clock at 0. A position with an e.p.
    /// right is resolved from its successors (O2).
    #[inline]
    pub(crate) fn wdl(&self, position: &Position) -> Result<Wdl, ClaimError> {
        if let Some(end) = position.finished() {
            let turn = position.turn();
            return Ok(Wdl::of_winner(end.winner(turn), turn));
        }
        if position.ep().is_some() {
            return self.resolved(position);
        }
        if position.board().occupied().len() == 2 && self.game.needs_no_table(&position.material())
        {
            return Ok(of_bare_kings(self.game, position));
        }
        let (values, turn, index) = self.find(position)?;
        Ok(values.wdl(turn, index))
    }

    /// The value of a position with an e.p. right: that of the position without the right, or
    /// that of a capture en passant if that is better or the only move. The other moves are
    /// those of the position without the right, whose value is in its table; after a double
    /// step that promotes (C6) they lead to further materials. Whether the fifty-move rule
    /// spoils it is left open: what cursed results there are stay cursed.
    #[cold]
    fn resolved(&self, position: &Position) -> Result<Wdl, ClaimError> {
        let moves = position.legal_moves();
        let (mut best, mut takes) = (None, 0);
        for &mv in moves.iter().filter(|mv| mv.kind == MoveKind::EnPassant) {
            let value = self.wdl(&position.play(mv))?.reversed();
            best = Some(best.map_or(value, |best: Wdl| best.min(value)));
            takes += 1;
        }
        if let Some(best) = best
            && takes == moves.len()
        {
            return Ok(best);
        }
        let without = Position::from_board(position.game(), position.board(), position.turn());
        let without = without.ok_or_else(|| self.missing(&position.material()))?;
        let without = self.wdl(&without)?;
        Ok(best.map_or(without, |best| best.min(without)))
    }

    /// Plies to the end of a position without an e.p. right, if depths were read.
    pub(crate) fn plies(&self, position: &Position) -> Result<Option<u32>, ClaimError> {
        let (values, turn, index) = self.find(position)?;
        Ok(values.plies(turn, index))
    }
}

impl Lookup<Curves> {
    /// The curve of a position without an e.p. right.
    #[inline]
    pub(crate) fn curve(&self, position: &Position) -> Result<&Curve, ClaimError> {
        let (curves, turn, index) = self.find(position)?;
        Ok(curves.curve(turn, index))
    }

    /// The winner of a position with its counters.
    #[inline]
    pub(crate) fn winner(&self, position: &Position) -> Result<Colour, ClaimError> {
        let turn = position.turn();
        let counters = position.vitality().unwrap_or(Counters::both(1));
        if counters.of(turn.other()) == 0 {
            // The last point is spent: mate comes first (H6).
            return Ok(match position.end() {
                Some(End::Checkmate) => turn.other(),
                _ => turn,
            });
        }
        if position.ep().is_some() {
            return self.resolved(position);
        }
        let (curves, turn, index) = self.find(position)?;
        Ok(curves.winner(turn, index, counters))
    }

    #[cold]
    fn resolved(&self, position: &Position) -> Result<Colour, ClaimError> {
        let turn = position.turn();
        for &mv in &position.legal_moves() {
            if self.winner(&position.play(mv))? == turn {
                return Ok(turn);
            }
        }
        Ok(turn.other())
    }
}

/// Two bare kings that have no table: a draw, unless one can be taken (E6).
fn of_bare_kings(game: Game, position: &Position) -> Wdl {
    let takes = match game.bare_kings() {
        BareKings::DrawnUnlessTaken => position.legal_moves().iter().any(|mv| mv.is_capture()),
        BareKings::Drawn | BareKings::Table => false,
    };
    if takes { Wdl::Win } else { Wdl::Draw }
}

/// The materials, in normal form, that captures and promotions lead to.
pub(crate) fn successors(game: Game, material: &Material) -> Vec<Material> {
    let may_go = |of: &Material, piece: Piece| {
        game.one_of_type(piece.piece_type, of.count(piece)) == LastOfType::Free
    };
    let taken = material.pieces().filter(|&piece| may_go(material, piece));
    let rests: Vec<(Option<Colour>, Material)> = taken
        .filter_map(|piece| Some((Some(piece.colour), material.without(piece)?)))
        .chain([(None, *material)])
        .collect();
    let mut list = Vec::new();
    for (loser, rest) in rests {
        list.push(rest);
        for colour in Colour::BOTH
            .into_iter()
            .filter(|&colour| loser != Some(colour))
        {
            let pawn = Piece::new(colour, PieceType::Pawn);
            if rest.count(pawn) == 0 || !may_go(&rest, pawn) {
                continue;
            }
            for &piece_type in game.promotions(colour) {
                list.extend(rest.without(pawn).map(|mut promoted| {
                    promoted.add(Piece::new(colour, piece_type));
                    promoted
                }));
            }
        }
    }
    let both = |m: &Material| {
        Colour::BOTH
            .into_iter()
            .all(|colour| m.side_len(colour) > 0)
    };
    let mut list: Vec<Material> = list
        .into_iter()
        .filter(both)
        .map(|m| m.normal(game).0)
        .collect();
    list.sort_unstable();
    list.dedup();
    list.retain(|m| m != material);
    list
}

/// A material and all those, in normal form, that any number of captures and promotions lead
/// to, nearer ones first.
fn descendants(game: Game, material: &Material) -> Vec<Material> {
    let mut list = vec![*material];
    let mut next = 0;
    while let Some(material) = list.get(next).copied() {
        next += 1;
        for successor in successors(game, &material) {
            if !list.contains(&successor) {
                list.push(successor);
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_moves_lead_further_than_one() {
        let game = Game::parse("chess99").unwrap();
        let material = |name| Material::parse(game, name).unwrap();
        let one = successors(game, &material("KQvKQ"));
        assert_eq!(one, [material("KQvK")]);
        let all = descendants(game, &material("KQvKQ"));
        assert_eq!(all, ["KQvKQ", "KQvK", "KvK"].map(material));
        // Two pawns may both promote, to bishop or knight.
        let pawns = descendants(game, &material("KPvKP"));
        assert!(pawns.contains(&material("KBvKN")) && pawns.contains(&material("KvK")));
    }
}
