using Mux.Description.Proto;

namespace Mux.Generators.Importing.Naming;

/// <summary>C# names of the members of one message.</summary>
internal sealed class MemberNames
{
    /// <summary>Name of the member that keeps unknown fields.</summary>
    public const string Unknown = "UnknownFields";

    /// <summary>Beginning of the name of a method that decides whether a member is written.</summary>
    public const string Condition = "ShouldSerialize";

    // By their names alone, the generator takes such members as conditions of others, too.
    private const string Specified = "Specified";

    private static readonly string[] s_reserved =
        [CSharpNames.Nested, "Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString", Unknown];

    private readonly Dictionary<ProtoElement, string> _names = [];

    /// <param name="message">The message.</param>
    /// <param name="type">Name of its class, which members cannot have.</param>
    public MemberNames(ProtoMessage message, string type)
    {
        var taken = new NameSet(s_reserved.Append(type.TrimStart('@')));
        var plain = new HashSet<string>(message.Fields.Select(static field => ProtoCase.Pascal(field.Name)), StringComparer.Ordinal);
        foreach (var field in message.Fields)
        {
            var name = ProtoCase.Pascal(field.Name);
            bool isSpecified = name.EndsWith(Specified, StringComparison.Ordinal) && plain.Contains(name.Substring(0, name.Length - Specified.Length));
            if (isSpecified || name.StartsWith(Condition, StringComparison.Ordinal)) name += "_";
            _names.Add(field, taken.Take(name));
        }

        foreach (var oneof in message.Oneofs)
        {
            var name = ProtoCase.Pascal(oneof.Name);
            if (name.StartsWith(Condition, StringComparison.Ordinal)) name = "_" + name;
            while (taken.Contains(name + "Case") || taken.Contains(name + "OneofCase") || taken.Contains("Clear" + name)) name += "_";
            foreach (var member in (string[])[name + "Case", name + "OneofCase", "Clear" + name]) taken.Add(member);
            _names.Add(oneof, name);
        }

        Taken = taken;
    }

    /// <summary>Gets the names in use.</summary>
    public NameSet Taken { get; }

    public string this[ProtoElement member] => _names[member];

    /// <summary>Gets the names of an enum's values.</summary>
    public static IReadOnlyList<string> OfValues(ProtoEnum type)
    {
        var taken = new NameSet([]);
        var names = new List<string>();
        foreach (var value in type.Values)
        {
            var name = ProtoCase.EnumValue(type.Name, value.Name);
            names.Add(taken.Take(taken.Contains(name) ? value.Name : name));
        }

        return names;
    }
}
