namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A part of the name of an option.</summary>
/// <param name="Text">The name of a field, or of an extension in parentheses.</param>
/// <param name="IsExtension">True in parentheses.</param>
internal readonly record struct ParsedOptionPart(string Text, bool IsExtension)
{
    public override string ToString() => IsExtension ? $"({Text})" : Text;
}
