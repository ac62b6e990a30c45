using Mux.Generators.Messages.Reading;

namespace Mux.Generators.Symbols;

/// <summary>What protobuf-net takes a type as.</summary>
/// <param name="Contract">What is said of it as a message: by an attribute, or nothing of a derived class that an include names and of what looks like a tuple.
/// Null for what is no message.</param>
/// <param name="IsDeclared">Whether it has an attribute that makes it a message.</param>
/// <param name="IsTuple">Whether it looks like a tuple.</param>
internal sealed record MentionedType(MessageContract? Contract, bool IsDeclared, bool IsTuple);
