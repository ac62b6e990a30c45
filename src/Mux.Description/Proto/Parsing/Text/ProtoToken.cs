namespace Mux.Description.Proto.Parsing.Text;

/// <summary>A token.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Text">As the file has it.</param>
/// <param name="Position">Where it begins.</param>
/// <param name="Comment">The comment on the lines before it; null for none.</param>
internal readonly record struct ProtoToken(ProtoTokenKind Kind, string Text, ProtoPosition Position, string? Comment);
