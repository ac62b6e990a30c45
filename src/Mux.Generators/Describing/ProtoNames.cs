using System.Text;
using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Describing;

/// <summary>Makes protobuf names of C# names and wire names. Protobuf allows ASCII letters, digits and '_'.</summary>
internal static class ProtoNames
{
    /// <summary>Gets the name of a type: its namespace is the package, and the types around it are part of the name.</summary>
    public static ProtoName Of(INamedTypeSymbol type)
    {
        if (ImportedName.Of(type) is { } imported) return imported;
        var outermost = type;
        while (outermost.ContainingType is { } outer) outermost = outer;
        var full = outermost.ToFullName();
        int length = full.Length - outermost.Name.Length - 1;
        var package = length <= 0 ? string.Empty : full.Substring(0, length);
        return new ProtoName(ToPath(package), ToWord(type.IsGenericType ? type.ToIdentifier() : Nested(type)));
    }

    /// <summary>Gets the name of a service: all but the last part of its wire name is the package.</summary>
    public static ProtoName OfService(string wireName)
    {
        int dot = wireName.LastIndexOf('.');
        return dot < 0 ? new ProtoName(string.Empty, ToWord(wireName)) : new ProtoName(ToPath(wireName.Substring(0, dot)), ToWord(wireName.Substring(dot + 1)));
    }

    /// <summary>Converts a text to a protobuf name, the same text if it is one.</summary>
    public static string ToWord(string text)
    {
        if (text.Length > 0 && !IsDigit(text[0]) && text.All(static c => IsLetterOrDigit(c) || c == '_')) return text;
        var word = new StringBuilder(text.Length + 1);
        if (text.Length == 0 || IsDigit(text[0])) word.Append('_');
        foreach (char c in text)
        {
            if (IsLetterOrDigit(c)) word.Append(c);
            else word.Append('_').Append(c < 128 ? string.Empty : ((int)c).ToString("x4", System.Globalization.CultureInfo.InvariantCulture));
        }

        return word.ToString();
    }

    /// <summary>Converts the name of a member to that of a field: LastName to last_name.</summary>
    public static string ToField(string name, int number)
    {
        var field = new StringBuilder(name.Length + 4);
        bool isBreak = false;
        for (int i = 0; i < name.Length; i++)
        {
            char c = name[i];
            if (!IsLetterOrDigit(c))
            {
                isBreak = true;
                continue;
            }

            bool startsWord = IsUpper(c) && i > 0 && (!IsUpper(name[i - 1]) || (i + 1 < name.Length && name[i + 1] is >= 'a' and <= 'z'));
            if (field.Length > 0 && (isBreak || startsWord)) field.Append('_');
            field.Append(IsUpper(c) ? (char)(c | 0x20) : c);
            isBreak = false;
        }

        return field.Length == 0 || IsDigit(field[0]) ? $"field_{number}" : field.ToString();
    }

    /// <summary>
    /// Gets the beginning of the names of messages that are made for a field: that of last_name is LastName, as protoc names entries of maps.
    /// </summary>
    public static string ToType(string field) =>
        string.Concat(field.Split('_').Where(static word => word.Length > 0).Select(static word => char.ToUpperInvariant(word[0]) + word.Substring(1)));

    private static string ToPath(string names) => names.Length == 0 ? names : string.Join(".", names.Split('.').Select(ToWord));

    private static string Nested(INamedTypeSymbol type) => type.ContainingType is { } outer ? $"{Nested(outer)}_{type.Name}" : type.Name;

    private static bool IsLetterOrDigit(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') || IsDigit(c);

    private static bool IsUpper(char c) => c is >= 'A' and <= 'Z';

    private static bool IsDigit(char c) => c is >= '0' and <= '9';
}
