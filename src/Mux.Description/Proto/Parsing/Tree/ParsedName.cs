namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A name, and where it stands.</summary>
/// <param name="Text">The name.</param>
/// <param name="Position">Where it stands.</param>
internal readonly record struct ParsedName(string Text, ProtoPosition Position);
