using Mux.Description.Reading;

namespace Mux.Description.Proto.Joining;

/// <summary>A type on its way into a file, with the types that it names.</summary>
internal sealed class JoinedType
{
    private const string Place = "a generated descriptor";

    public JoinedType(TypePart part)
    {
        Part = part;
        Name = TextOf(part.Descriptor.Span, 1);
        FullName = part.Package.Length == 0 ? Name : $"{part.Package}.{Name}";
        if (part.Kind == PartKind.Service) FindOfService(part.Descriptor.Span);
        else if (part.Kind is PartKind.Message or PartKind.Proto2Message) FindOfMessage(part.Descriptor.Span);
    }

    public TypePart Part { get; }

    public string Name { get; }

    public string FullName { get; }

    /// <summary>Gets the full names of messages and enums that it names, its own nested ones included.</summary>
    public HashSet<string> Names { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets package and syntax, which are those of the file.</summary>
    public (string Package, bool IsProto2) Group => (Part.Package, Part.Kind is PartKind.Proto2Message or PartKind.Proto2Enum);

    /// <summary>Gets or sets the number of the file among those of the group, if these name each other's types in a circle with other groups.</summary>
    public int Rank { get; set; }

    private void FindOfMessage(ReadOnlySpan<byte> descriptor)
    {
        var reader = new WireReader(descriptor, Place);
        while (reader.Read())
        {
            if (reader.Field == 2) AddName(TextOf(reader.Content(), 6));
            else if (reader.Field == 3) FindOfMessage(reader.Content());
        }
    }

    private void FindOfService(ReadOnlySpan<byte> descriptor)
    {
        var reader = new WireReader(descriptor, Place);
        while (reader.Read())
        {
            if (reader.Field != 2) continue;
            AddName(TextOf(reader.Content(), 2));
            AddName(TextOf(reader.Content(), 3));
        }
    }

    private void AddName(string reference)
    {
        if (reference.Length > 0) Names.Add(reference.Substring(1));
    }

    private static string TextOf(ReadOnlySpan<byte> message, int field)
    {
        var reader = new WireReader(message, Place);
        while (reader.Read())
        {
            if (reader.Field == field) return reader.Text();
        }

        return string.Empty;
    }
}
