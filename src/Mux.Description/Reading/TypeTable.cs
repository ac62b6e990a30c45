namespace Mux.Description.Reading;

/// <summary>The types of a description by their full names.</summary>
internal sealed class TypeTable
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private int _members;

    public Dictionary<string, MessageType> Messages { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, EnumType> Enums { get; } = new(StringComparer.Ordinal);

    /// <summary>Takes the name of a type.</summary>
    /// <param name="scope">Package and messages around it; empty for none.</param>
    /// <param name="name">Name of the type.</param>
    /// <param name="place">File of the type, for errors.</param>
    public string Declare(string scope, string name, string place)
    {
        NameRules.CheckWord(name, place);
        var fullName = scope.Length == 0 ? name : $"{scope}.{name}";
        if (fullName.Length > DescriptionLimits.FullNameLength)
        {
            DescriptionFault.Throw(place, $"has a type whose full name has {fullName.Length} characters; allowed are {DescriptionLimits.FullNameLength}");
        }

        if (!_names.Add(fullName)) DescriptionFault.Throw(place, $"declares {DescriptionFault.Quote(fullName)}, which is declared before");
        if (_names.Count > DescriptionLimits.Types) DescriptionFault.Throw(place, $"has more than {DescriptionLimits.Types} types with the files before it");
        return fullName;
    }

    /// <summary>Counts a field, a value or a method.</summary>
    public void CountMember(string place)
    {
        if (++_members > DescriptionLimits.Members)
            DescriptionFault.Throw(place, $"has more than {DescriptionLimits.Members} fields, values and methods with the types before it");
    }

    /// <summary>Finds the message that a field or method names.</summary>
    public MessageType Message(string reference, string place) => Find(Messages, Absolute(reference, place), "message", place);

    /// <summary>Finds the enum that a field names.</summary>
    public EnumType Enum(string reference, string place) => Find(Enums, Absolute(reference, place), "enum", place);

    /// <summary>Finds the message that an option names.</summary>
    public MessageType MessageOfOption(string fullName, string place) => Find(Messages, fullName, "message", place);

    private static T Find<T>(Dictionary<string, T> types, string fullName, string kind, string place)
        where T : class
    {
        if (types.TryGetValue(fullName, out var type)) return type;
        DescriptionFault.Throw(
            place, $"names the {kind} {DescriptionFault.Quote(fullName)}, which no file declares; a set must include the files that others import");
        return null;
    }

    private static string Absolute(string reference, string place)
    {
        if (!reference.StartsWith('.'))
            DescriptionFault.Throw(place, $"names the type {DescriptionFault.Quote(reference)}; names of types must begin with '.' and the package");
        return reference[1..];
    }
}
