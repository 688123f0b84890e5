//! Reads definitions of games, TOML texts, and applies what they extend and their options.
//!
//! They have places, tables that extend others, and options.
//!
//! A definition is read in two steps. Here it becomes a flat table of dotted keys, whatever they
//! mean: what it extends, its options and its conditions are applied, and every value knows
//! where it was written. [`keys`] then gives the keys their meaning.

use std::fmt;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::keys;
use crate::shortened::shortened;
use crate::table::{DefinitionError, EMPTY, Entry, Place, Table, VITALITY, Value, insert_sorted};

/// The longest definition, in bytes.
const MOST_BYTES: usize = 64 * 1024;

/// The most definitions that may extend each other in a row.
const MOST_EXTENDED: usize = 8;

impl Table {
    /// Sets a key. A table replaces what is no table, and the other way round; in a list of
    /// letters, `+C` and `-K` add and remove some, of both sides if theirs differ; another size of the board leaves no array, and
    /// no centre but the squares in its middle.
    fn set(&mut self, key: &str, mut entry: Entry) {
        if let Value::Text(change) = &entry.value
            && keys::is_letters(key)
            && change.starts_with(['+', '-'])
        {
            let changed = |letters: &str| Value::Text(changed(letters, change));
            entry.value = match self.0.get(key).map(|old| &old.value) {
                Some(Value::List(both)) => {
                    let side = |old: &Value| match old {
                        Value::Text(letters) => changed(letters),
                        other => other.clone(),
                    };
                    Value::List(both.iter().map(side).collect())
                }
                _ => changed(&keys::letters_of(key, self)),
            };
        }
        // There is a counter as soon as its table is there, which changes none that is there.
        let below = format!("{VITALITY}.");
        if entry.value == EMPTY && self.0.keys().any(|known| known.starts_with(&below)) {
            return;
        }
        let size = self.0.get("board.size").map(|old| &old.value);
        let is_so = |size: &Value| *size == entry.value;
        let is_usual = || is_so(&Value::Text("8x8".to_owned()));
        if key == "board.size" && !size.map_or_else(is_usual, is_so) {
            self.0.remove("board.array");
            self.0.remove("counters.vitality.centre");
        }
        self.put(key, entry);
    }

    fn apply(&mut self, overrides: &Table) {
        self.set_all(&mut overrides.0.iter());
    }

    /// Sets keys, one after the other; the size first, since it takes away an array for another.
    fn set_all<'e>(&mut self, entries: &mut dyn Iterator<Item = (&'e String, &'e Entry)>) {
        let mut others = Vec::new();
        for (key, entry) in entries {
            match key.as_str() {
                "board.size" => self.set(key, entry.clone()),
                _ => others.push((key, entry)),
            }
        }
        for (key, entry) in others {
            self.set(key, entry.clone());
        }
    }
}

/// Letters with some added, the pawn staying last, and others removed: `+CA-K`.
fn changed(letters: &str, change: &str) -> String {
    let mut letters: Vec<char> = letters.chars().collect();
    let mut adds = true;
    for letter in change.chars() {
        match letter {
            '+' => adds = true,
            '-' => adds = false,
            _ => {
                letters.retain(|&old| old != letter);
                if adds {
                    let end = letters.len() - usize::from(letters.last() == Some(&'P'));
                    letters.insert(end, letter);
                }
            }
        }
    }
    letters.into_iter().collect()
}

/// An option of a definition.
#[derive(Clone, Debug)]
struct Choice {
    name: String,
    place: Place,
    default: Option<String>,
    about: Option<String>,
    values: Vec<(String, Table)>,
    /// The least and the greatest number, and the key that is set to it.
    range: Option<(u8, u8, String)>,
}

/// A condition: keys to set, or a reason to refuse, under some values of options.
#[derive(Clone, Debug)]
struct When {
    place: Place,
    options: Vec<(String, String)>,
    set: Table,
    refuse: Option<String>,
}

/// A rule option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameOption {
    /// The name of the option.
    pub name: String,
    /// The values that the option can have.
    pub values: OptionValues,
    /// The value if it is left out.
    pub default: String,
    /// The meaning of the option and of its values, for people.
    pub about: Option<String>,
}

/// The values of an option, as in a game id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValues {
    /// A choice of words.
    OneOf(Vec<String>),
    /// A whole number from the first to the second.
    Number(u8, u8),
}

impl OptionValues {
    /// All values, as text.
    pub fn list(&self) -> Vec<String> {
        match self {
            OptionValues::OneOf(words) => words.clone(),
            &OptionValues::Number(least, most) => (least..=most).map(|n| n.to_string()).collect(),
        }
    }

    /// Whether a text is one of them. Each number has one spelling, so that an id has one form.
    pub(crate) fn contain(&self, text: &str) -> bool {
        match self {
            OptionValues::OneOf(words) => words.iter().any(|word| word == text),
            &OptionValues::Number(least, most) => {
                (least..=most).any(|number| number.to_string() == text)
            }
        }
    }
}

/// Lists the values in words, for messages: `king, queen or duke`.
impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::OneOf(words) => match &words[..] {
                [words @ .., last] if !words.is_empty() => {
                    write!(f, "{} or {last}", words.join(", "))
                }
                words => f.write_str(&words.join(", ")),
            },
            OptionValues::Number(least, most) => write!(f, "a whole number from {least} to {most}"),
        }
    }
}

/// A definition with all that it extends, before its options are chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definition {
    /// The place of the definition as a whole.
    pub(crate) place: Place,
    pub(crate) table: Table,
    choices: Vec<Choice>,
    conditions: Vec<When>,
}

/// Finds the text of a definition that another extends, by the name as written and the source
/// that names it: gives the name of its source and the text.
pub type Resolve<'a> = dyn Fn(&str, &str) -> Result<(String, String), String> + 'a;

/// Reads the parts of a text of TOML.
struct Reader {
    source: Arc<str>,
    /// The offset of the start of each line.
    lines: Vec<usize>,
    text: String,
}

impl Reader {
    fn place(&self, offset: usize) -> Place {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1];
        let column = self
            .text
            .get(start..offset)
            .map_or(0, |l| l.chars().count());
        Place {
            source: self.source.clone(),
            line,
            column: column + 1,
        }
    }

    /// The entries of a table in the order in which they are written.
    fn sorted<'t, 'i>(
        &self,
        table: &'t DeTable<'i>,
    ) -> Vec<(&'t str, Place, &'t Spanned<DeValue<'i>>)> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let entries = entries.into_iter();
        entries
            .map(|(key, value)| (&**key.get_ref(), self.place(key.span().start), value))
            .collect()
    }

    fn value(&self, value: &Spanned<DeValue>) -> Result<Value, DefinitionError> {
        let place = || self.place(value.span().start);
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix());
                Value::Number(number.map_err(|_| place().fault("the number is too large"))?)
            }
            DeValue::Array(list) => Value::List(
                list.iter()
                    .map(|v| self.value(v))
                    .collect::<Result<_, _>>()?,
            ),
            DeValue::Table(_) => return Err(place().fault("no table is expected here")),
            DeValue::Float(_) | DeValue::Datetime(_) => {
                return Err(place().fault(
                    "the values of definitions are texts, whole numbers, true, false and lists",
                ));
            }
        })
    }

    /// Adds the entries of a table under a key.
    fn flatten(
        &self,
        prefix: &str,
        table: &DeTable,
        into: &mut Table,
    ) -> Result<(), DefinitionError> {
        for (key, place, value) in self.sorted(table) {
            let key = format!("{prefix}{key}");
            match value.get_ref() {
                DeValue::Table(table) if table.is_empty() => {
                    keys::check_table(&key, &place)?;
                    if key == VITALITY {
                        let value = EMPTY;
                        into.put(&key, Entry { value, place });
                    }
                }
                DeValue::Table(table) => self.flatten(&format!("{key}."), table, into)?,
                _ => {
                    keys::check(&key, &place)?;
                    let value = self.value(value)?;
                    into.put(&key, Entry { value, place });
                }
            }
        }
        Ok(())
    }

    fn table<'t, 'i>(
        &self,
        key: &str,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Result<&'t DeTable<'i>, DefinitionError> {
        let fault = || {
            let place = self.place(value.span().start);
            place.fault(format!("{key} is a table, such as [{key}]"))
        };
        value.get_ref().as_table().ok_or_else(fault)
    }

    fn text_of(&self, key: &str, value: &Spanned<DeValue>) -> Result<String, DefinitionError> {
        match self.value(value)? {
            Value::Text(text) => Ok(text),
            Value::Number(number) => Ok(number.to_string()),
            other => Err(self
                .place(value.span().start)
                .fault(format!("{key} is a text, not {}", other.describe()))),
        }
    }

    fn choice(
        &self,
        name: &str,
        place: Place,
        value: &Spanned<DeValue>,
    ) -> Result<Choice, DefinitionError> {
        let key = format!("options.{name}");
        if !is_name(name) {
            return Err(place.fault(format!(
                "\"{}\" is no name of an option; use small letters, digits and -",
                shortened(name)
            )));
        }
        let mut choice = Choice {
            name: name.to_owned(),
            place,
            default: None,
            about: None,
            values: Vec::new(),
            range: None,
        };
        let (mut range, mut sets) = (None, None);
        for (part, place, value) in self.sorted(self.table(&key, value)?) {
            match part {
                "default" => choice.default = Some(self.text_of("default", value)?),
                "about" => choice.about = Some(self.text_of("about", value)?),
                "values" => {
                    let key = format!("{key}.values");
                    for (name, place, value) in self.sorted(self.table(&key, value)?) {
                        if !is_name(&name.to_ascii_lowercase()) {
                            return Err(place.fault(format!(
                                "\"{}\" is no value of an option; use letters, digits \
                                 and -",
                                shortened(name)
                            )));
                        }
                        let mut table = Table::default();
                        self.flatten("", self.table(name, value)?, &mut table)?;
                        choice.values.push((name.to_owned(), table));
                    }
                }
                "range" => match self.value(value)? {
                    Value::List(ends) => match ends[..] {
                        [Value::Number(least), Value::Number(most)]
                            if (0..=most).contains(&least) && most <= 255 =>
                        {
                            range = Some((least as u8, most as u8));
                        }
                        _ => return Err(place.fault("a range is written like [1, 50]")),
                    },
                    _ => return Err(place.fault("a range is written like [1, 50]")),
                },
                "sets" => {
                    let key = self.text_of("sets", value)?;
                    keys::check(&key, &place)?;
                    sets = Some(key);
                }
                _ => {
                    return Err(place.fault(format!(
                        "options.{name} has default and values, or range and sets, and about, but no {}",
                        shortened(part)
                    )));
                }
            }
        }
        let place = choice.place.clone();
        choice.range = match (range, sets) {
            (Some((least, most)), Some(key)) => Some((least, most, key)),
            (None, None) => None,
            _ => return Err(place.fault(format!("options.{name} needs both range and sets"))),
        };
        Ok(choice)
    }

    fn condition(&self, value: &Spanned<DeValue>) -> Result<When, DefinitionError> {
        let mut when = When {
            place: self.place(value.span().start),
            options: Vec::new(),
            set: Table::default(),
            refuse: None,
        };
        for (part, place, value) in self.sorted(self.table("when", value)?) {
            match part {
                "options" => {
                    for (name, _, value) in self.sorted(self.table("options", value)?) {
                        when.options
                            .push((name.to_owned(), self.text_of(name, value)?));
                    }
                }
                "set" => self.flatten("", self.table("set", value)?, &mut when.set)?,
                "refuse" => when.refuse = Some(self.text_of("refuse", value)?),
                _ => {
                    return Err(place.fault(format!(
                        "[[when]] has options, and set or refuse, but no {}",
                        shortened(part)
                    )));
                }
            }
        }
        if when.options.is_empty() {
            let place = when.place;
            return Err(place.fault("[[when]] needs options = { NAME = \"VALUE\" }"));
        }
        Ok(when)
    }
}

/// Whether a text is a name: small letters, digits and hyphens, at most 32.
pub(crate) fn is_name(text: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=32).contains(&text.len()) && text.bytes().all(is_letter)
}

impl Definition {
    /// Reads a text and all that it extends.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn read(
        source: &str,
        text: &str,
        resolve: &Resolve,
    ) -> Result<Definition, DefinitionError> {
        Definition::read_extended(source, text, resolve, MOST_EXTENDED)
    }

    fn read_extended(
        source: &str,
        text: &str,
        resolve: &Resolve,
        depth: usize,
    ) -> Result<Definition, DefinitionError> {
        let reader = Reader {
            source: source.into(),
            lines: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
            text: text.to_owned(),
        };
        let whole = Place {
            source: source.into(),
            ..Place::default()
        };
        if text.len() > MOST_BYTES {
            return Err(whole.fault(format!(
                "the definition is longer than {MOST_BYTES} bytes; is it one?"
            )));
        }
        let root = DeTable::parse(text).map_err(|error| {
            let place = error
                .span()
                .map_or(whole.clone(), |span| reader.place(span.start));
            place.fault(format!("this is no TOML: {}", error.message().trim_end()))
        })?;
        let mut root = reader.sorted(root.get_ref());
        // The board first: another size takes away what is extended, not what follows here.
        root.sort_by_key(|(key, ..)| *key != "board");
        let mut definition = match root.iter().find(|(key, ..)| *key == "extends") {
            None => Definition::default(),
            Some((_, place, value)) => {
                let base = reader.text_of("extends", value)?;
                if depth == 0 {
                    return Err(place.fault(format!(
                        "more than {MOST_EXTENDED} definitions extend each other; is there a \
                         circle?"
                    )));
                }
                let (name, text) = resolve(&base, source).map_err(|why| place.fault(why))?;
                let mut base = Definition::read_extended(&name, &text, resolve, depth - 1)?;
                for own in keys::OWN {
                    base.table.0.remove(*own);
                }
                base
            }
        };
        definition.place = whole;
        let mut conditions = None;
        let (mut own, mut redefined) = (Table::default(), Vec::new());
        for (key, place, value) in root {
            match (key, value.get_ref()) {
                ("extends" | "claims", _) => {}
                ("format", _) => {
                    if reader.value(value)? != Value::Number(1) {
                        return Err(place.fault("this program knows format = 1 only"));
                    }
                }
                ("options", _) => {
                    for (name, place, value) in reader.sorted(reader.table("options", value)?) {
                        let choice = reader.choice(name, place, value)?;
                        redefined.push(choice.name.clone());
                        definition.add_choice(choice);
                    }
                }
                ("when", DeValue::Array(list)) => {
                    let list = list.iter().map(|when| reader.condition(when));
                    conditions = Some(list.collect::<Result<Vec<When>, _>>()?);
                }
                ("when", _) => return Err(place.fault("write conditions as [[when]]")),
                (_, DeValue::Table(table)) => {
                    if table.is_empty() {
                        keys::check_table(key, &place)?;
                    }
                    let mut part = Table::default();
                    reader.flatten(&format!("{key}."), table, &mut part)?;
                    definition.table.apply(&part);
                    // An empty table settles nothing that is extended.
                    part.0.retain(|_, entry| entry.value != EMPTY);
                    own.0.append(&mut part.0);
                }
                _ => {
                    keys::check(key, &place)?;
                    let entry = Entry {
                        value: reader.value(value)?,
                        place,
                    };
                    definition.table.set(key, entry.clone());
                    own.0.insert(key.to_owned(), entry);
                }
            }
        }
        definition.settle(&own, &redefined);
        definition.conditions = conditions.unwrap_or(definition.conditions);
        definition.check_options()?;
        Ok(definition)
    }

    /// Settles the options that are extended by keys of the definition itself, but for those that
    /// are `redefined`: a number becomes the default, and what is settled by anything else is no
    /// option any more. It has the value whose keys the definition sets, or else the other keys of
    /// its default; conditions on other values go.
    fn settle(&mut self, own: &Table, redefined: &[String]) {
        let is_below = |key: &str, above: &str| {
            let rest = key.strip_prefix(above);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let touches = |key: &String| own.0.keys().any(|o| is_below(key, o) || is_below(o, key));
        for mut choice in std::mem::take(&mut self.choices) {
            let touched = match &choice.range {
                Some((.., key)) => touches(key),
                None => choice.values.iter().any(|(_, t)| t.0.keys().any(touches)),
            };
            let key = choice.range.as_ref().map(|(.., key)| key);
            let number = match key.and_then(|key| own.0.get(key)).map(|e| &e.value) {
                Some(Value::Number(number)) => Some(number.to_string()),
                _ => None,
            };
            let number = number.filter(|number| choice.has(number));
            if !touched || redefined.contains(&choice.name) || number.is_some() {
                choice.default = number.or(choice.default);
                self.choices.push(choice);
                continue;
            }
            let agrees = |(_, table): &&(String, Table)| {
                let same = |(key, entry): (&String, &Entry)| {
                    own.0.get(key).map(|own| own.value == entry.value)
                };
                let mut said = table.0.iter().filter_map(same).peekable();
                said.peek().is_some() && said.all(|same| same)
            };
            let value = choice.values.iter().find(agrees);
            let is_default = |(word, _): &&(String, Table)| Some(word) == choice.default.as_ref();
            let keys = value.or_else(|| choice.values.iter().find(is_default));
            for (key, entry) in keys.iter().flat_map(|(_, table)| &table.0) {
                if !touches(key) {
                    self.table.set(key, entry.clone());
                }
            }
            let may_hold = |(option, wanted): &(String, String)| {
                *option != choice.name || value.is_some_and(|(word, _)| word == wanted)
            };
            self.conditions
                .retain(|when| when.options.iter().all(may_hold));
            for when in &mut self.conditions {
                when.options.retain(|(option, _)| *option != choice.name);
            }
        }
    }

    /// Adds an option, or changes one that is extended.
    fn add_choice(&mut self, choice: Choice) {
        let Some(old) = self.choices.iter_mut().find(|old| old.name == choice.name) else {
            self.choices.push(choice);
            return;
        };
        old.about = choice.about.or(old.about.take());
        old.default = choice.default.or(old.default.take());
        old.range = choice.range.or(old.range.take());
        for (name, table) in choice.values {
            match old.values.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.apply(&table),
                None => old.values.push((name, table)),
            }
        }
    }

    fn check_options(&mut self) -> Result<(), DefinitionError> {
        for choice in &mut self.choices {
            let name = &choice.name;
            if let Some((least, most, key)) = &choice.range {
                if !choice.values.is_empty() {
                    let why = format!("options.{name} has values and a range; leave one out");
                    return Err(choice.place.fault(why));
                }
                let given = choice.default.clone().or_else(|| {
                    match self.table.0.get(key).map(|entry| &entry.value) {
                        Some(Value::Number(number)) => Some(number.to_string()),
                        _ => None,
                    }
                });
                let within = |text: &String| {
                    text.parse::<u8>()
                        .is_ok_and(|n| (*least..=*most).contains(&n) && n.to_string() == *text)
                };
                match given.filter(within) {
                    Some(default) => choice.default = Some(default),
                    None => {
                        return Err(choice.place.fault(format!(
                            "options.{name} needs default, a number from {least} to {most}"
                        )));
                    }
                }
                continue;
            }
            let known = |text: &String| choice.values.iter().any(|(value, _)| value == text);
            if !choice.default.as_ref().is_some_and(known) {
                return Err(choice.place.fault(format!(
                    "options.{name} needs default = one of its values, and a table \
                     [options.{name}.values.VALUE] for each"
                )));
            }
        }
        for when in &self.conditions {
            for (name, value) in &when.options {
                let choice = self.choices.iter().find(|choice| choice.name == *name);
                if !choice.is_some_and(|choice| choice.has(value)) {
                    return Err(when.place.fault(format!(
                        "there is no option {}={}",
                        shortened(name),
                        shortened(value)
                    )));
                }
            }
        }
        Ok(())
    }

    /// The options that are offered, sorted by name.
    pub(crate) fn offers(&self) -> Vec<GameOption> {
        let mut offers = Vec::new();
        for choice in &self.choices {
            let values = match choice.range {
                Some((least, most, _)) => OptionValues::Number(least, most),
                None => {
                    let words = choice.values.iter();
                    OptionValues::OneOf(words.map(|(word, _)| word.clone()).collect())
                }
            };
            let offer = GameOption {
                name: choice.name.clone(),
                values,
                default: choice.default.clone().unwrap_or_default(),
                about: choice.about.clone(),
            };
            insert_sorted(&mut offers, offer, |offer| &offer.name);
        }
        offers
    }

    /// Checks that the keys of each value of an option can be read. Whether they go together with
    /// the others may depend on further options.
    ///
    /// # Errors
    /// The first value of a key that makes no sense.
    pub(crate) fn check_values(&self) -> Result<(), DefinitionError> {
        for choice in &self.choices {
            let values: Vec<String> = match choice.range {
                Some((least, most, _)) => vec![least.to_string(), most.to_string()],
                None => choice.values.iter().map(|(word, _)| word.clone()).collect(),
            };
            for value in values {
                // The author may have refused the value by itself.
                if let Ok((table, _)) = self.choose(&[(&choice.name, &value)], &[]) {
                    keys::Keys::read(&table)?;
                }
            }
        }
        Ok(())
    }

    /// The table with the given values of options, all of which are known, and then some keys
    /// set; and the options that differ from their defaults, sorted by name.
    ///
    /// # Errors
    /// The options do not go together.
    pub(crate) fn choose(
        &self,
        given: &[(&str, &str)],
        sets: &[(String, Entry)],
    ) -> Result<(Table, Vec<(String, String)>), DefinitionError> {
        let mut table = self.table.clone();
        let value_of = |choice: &Choice| -> String {
            let given = given.iter().find(|(name, _)| *name == choice.name);
            let given = given.map(|(_, value)| (*value).to_owned());
            given.unwrap_or_else(|| choice.default.clone().unwrap_or_default())
        };
        let mut chosen = Vec::new();
        for choice in &self.choices {
            let value = value_of(choice);
            let is_given = given.iter().any(|(name, _)| *name == choice.name);
            match &choice.range {
                // A number that the definition has itself stands unless the option is given.
                Some((.., key)) if !is_given && table.0.contains_key(key) => {}
                Some((.., key)) => table.set(
                    key,
                    Entry {
                        value: Value::Number(value.parse().unwrap_or_default()),
                        place: choice.place.clone(),
                    },
                ),
                None => {
                    if let Some((_, set)) = choice.values.iter().find(|(word, _)| *word == value) {
                        table.apply(set);
                    }
                }
            }
            if choice.default.as_ref() != Some(&value) {
                insert_sorted(&mut chosen, (choice.name.clone(), value), |(name, _)| name);
            }
        }
        for when in &self.conditions {
            let holds = |(name, wanted): &(String, String)| {
                let mut choices = self.choices.iter();
                choices.any(|choice| choice.name == *name && value_of(choice) == *wanted)
            };
            if when.options.iter().all(holds) {
                if let Some(why) = &when.refuse {
                    return Err(when.place.fault(why.clone()));
                }
                table.apply(&when.set);
            }
        }
        // One after the other, so that each may add letters to what the last has left.
        table.set_all(&mut sets.iter().map(|(key, entry)| (key, entry)));
        Ok((table, chosen))
    }
}

impl Choice {
    fn has(&self, value: &str) -> bool {
        match self.range {
            Some((least, most, _)) => value
                .parse::<u8>()
                .is_ok_and(|n| (least..=most).contains(&n)),
            None => self.values.iter().any(|(word, _)| word == value),
        }
    }
}

/// Reads `KEY=VALUE`, a value of TOML or else a text without quotes, as keys and their values:
/// one, or those of a table.
///
/// # Errors
/// A key is unknown, or there is no `=`.
pub(crate) fn read_set(text: &str) -> Result<Vec<(String, Entry)>, DefinitionError> {
    let place = Place {
        source: format!("--set {}", shortened(text)).into(),
        ..Place::default()
    };
    let parts = text.split_once('=');
    let parts = parts.map(|(key, value)| (key.trim(), value.trim()));
    let Some((key, value)) = parts.filter(|(key, _)| !key.is_empty()) else {
        return Err(place.fault("write KEY=VALUE, such as end.stalemate=loss"));
    };
    let reader = Reader {
        source: place.source.clone(),
        lines: vec![0],
        text: String::new(),
    };
    let parsed = DeValue::parse(value).ok();
    if let Some(DeValue::Table(table)) = parsed.as_ref().map(Spanned::get_ref) {
        if table.is_empty() {
            keys::check_table(key, &place)?;
            if key == VITALITY {
                let value = EMPTY;
                return Ok(vec![(key.to_owned(), Entry { value, place })]);
            }
        }
        let mut set = Table::default();
        reader.flatten(&format!("{key}."), table, &mut set)?;
        return Ok(set.0.into_iter().collect());
    }
    keys::check(key, &place)?;
    let value = match parsed.and_then(|value| reader.value(&value).ok()) {
        Some(value) => value,
        None => Value::Text(value.to_owned()),
    };
    Ok(vec![(key.to_owned(), Entry { value, place })])
}
