namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A field of a message in braces.</summary>
/// <param name="Name">The name of the field, or the full name of an extension or message in brackets.</param>
/// <param name="IsExtension">True in brackets.</param>
/// <param name="HasColon">True if a colon precedes the value: only messages can do without.</param>
/// <param name="Value">The value.</param>
/// <param name="Position">Where the name begins.</param>
internal sealed record ParsedLiteralField(string Name, bool IsExtension, bool HasColon, ParsedValue Value, ProtoPosition Position);
