using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Names of the types of a set, which have limits, and the types that they name.</summary>
internal sealed class NameTable(ProtoSet set)
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private int _members;

    /// <summary>Takes the name of a type.</summary>
    /// <param name="scope">Package and messages around it; empty for none.</param>
    /// <param name="name">Name of the type.</param>
    /// <param name="place">File of the type, for errors.</param>
    public string Declare(string scope, string name, string place)
    {
        NameRules.CheckWord(name, place);
        var fullName = Join(scope, name);
        if (fullName.Length > DescriptionLimits.FullNameLength)
            DescriptionFault.Throw(place, $"has a type whose full name has {fullName.Length} characters; allowed are {DescriptionLimits.FullNameLength}");

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
    public ProtoMessage Message(string reference, string place) => Find(set.Messages, Absolute(reference, place), "message", place);

    /// <summary>Finds the enum that a field names.</summary>
    public ProtoEnum Enum(string reference, string place) => Find(set.Enums, Absolute(reference, place), "enum", place);

    public static string Join(string scope, string name) => scope.Length == 0 ? name : $"{scope}.{name}";

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
        if (reference.Length == 0 || reference[0] != '.')
            DescriptionFault.Throw(place, $"names the type {DescriptionFault.Quote(reference)}; names of types must begin with '.' and the package");
        return reference.Substring(1);
    }
}
