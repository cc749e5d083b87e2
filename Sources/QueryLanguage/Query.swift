/// All that is asked of an archive: which rows, in which order.
///
/// A predicate is written in the format language of Cocoa's `NSPredicate`, as a `#Predicate`, or
/// built from cases; it evaluates over records in memory and compiles to SQL, with one meaning.
public enum Query {}
