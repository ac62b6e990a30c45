namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>An option as the file has it.</summary>
/// <param name="Name">The parts of its name.</param>
/// <param name="Value">Its value.</param>
/// <param name="Position">Where the name begins.</param>
internal sealed record ParsedOption(List<ParsedOptionPart> Name, ParsedValue Value, ProtoPosition Position)
{
    public override string ToString() => string.Join(".", Name);

    public bool Is(string name) => Name.Count == 1 && !Name[0].IsExtension && Name[0].Text == name;
}
