//! A difference between two snapshots, as one would tell it.

use super::snapshot::{Item, Kind};

/// What happened to an item; `None` if nothing did. The sides are what was frozen and what is now.
pub(crate) fn difference(item: &Item, sides: [Option<&str>; 2]) -> Option<String> {
    let name = &item.name;
    match sides {
        [Some(then), Some(now)] if then == now => None,
        [None, None] => None,
        [Some(_), None] => Some(format!("{name} is gone")),
        [None, Some(_)] => Some(format!("{name} is new")),
        [Some(then), Some(now)] if item.kind == Kind::Field => Some(format!("{name} {}", field(then, now))),
        [Some(then), Some(now)] => Some(format!("{name} was {then} and is {now}")),
    }
}

/// `at 8, 4 bytes, int32_t` against the same of another day.
fn field(then: &str, now: &str) -> String {
    let [then, now] = [then, now].map(|side| side.splitn(3, ", ").collect::<Vec<_>>());
    let verbs = ["moved from", "changed from", "changed from"];
    let pairs = verbs.iter().zip(then.iter().zip(&now)).filter(|(_, (then, now))| then != now);
    let changes = pairs.map(|(verb, (then, now))| {
        let [then, now] = [then, now].map(|part| part.replace("at ", "byte "));
        format!("{verb} {then} to {now}")
    });
    changes.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: Kind, then: Option<&str>, now: Option<&str>) -> Option<String> {
        difference(&Item { kind, name: "x".to_owned(), value: String::new() }, [then, now])
    }

    #[test]
    fn each_kind_of_change_is_told_in_words() {
        let at = "at 8, 4 bytes, int32_t";
        for (kind, then, now, words) in [
            (Kind::Field, Some(at), Some("at 12, 4 bytes, int32_t"), "x moved from byte 8 to byte 12"),
            (
                Kind::Field,
                Some(at),
                Some("at 8, 8 bytes, int64_t"),
                "x changed from 4 bytes to 8 bytes, changed from int32_t to int64_t",
            ),
            (Kind::Field, Some(at), Some("at 8, 4 bytes, uint32_t"), "x changed from int32_t to uint32_t"),
            (Kind::Field, Some(at), None, "x is gone"),
            (Kind::Constant, None, Some("7"), "x is new"),
            (Kind::Constant, Some("18"), Some("118"), "x was 18 and is 118"),
            (Kind::Parameter, Some("int64_t shift"), Some("int32_t shift"), "x was int64_t shift and is int32_t shift"),
        ] {
            assert_eq!(told(kind, then, now).as_deref(), Some(words));
        }
        assert_eq!(told(Kind::Field, Some(at), Some(at)), None);
    }
}
