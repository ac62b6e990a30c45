using Mux.Generators.Messages.Reading;

namespace Mux.Generators.Symbols;

/// <summary>Role that protobuf-net gives a type.</summary>
/// <param name="Contract">Contract as a message, from an attribute; an empty one for a derived class that an include names and for a type that looks like a
/// tuple. Null if it is not a message.</param>
/// <param name="IsDeclared">True if it has an attribute that makes it a message.</param>
/// <param name="IsTuple">True if it looks like a tuple.</param>
internal sealed record MentionedType(MessageContract? Contract, bool IsDeclared, bool IsTuple);
