using System.Text;

namespace Mux.Generators.Importing.Naming;

/// <summary>C# names of protobuf's, as protoc makes them for C#: users know them.</summary>
internal static class ProtoCase
{
    /// <summary>Converts snake_case to PascalCase.</summary>
    public static string Pascal(string name)
    {
        var pascal = new StringBuilder(name.Length);
        bool isStart = true;
        foreach (char c in name)
        {
            if (IsLetter(c)) pascal.Append(isStart ? char.ToUpperInvariant(c) : c);
            else if (IsDigit(c)) pascal.Append(c);
            isStart = !IsLetter(c);
        }

        return Started(pascal.Length == 0 ? name : pascal.ToString());
    }

    /// <summary>Converts a package to a namespace.</summary>
    public static string Namespace(string package) => package.Length == 0 ? package : string.Join(".", package.Split('.').Select(Pascal));

    /// <summary>Converts the name of a value of an enum: COLOR_DARK_RED of Color is DarkRed.</summary>
    public static string EnumValue(string type, string value)
    {
        var rest = WithoutPrefix(type, value);
        var pascal = new StringBuilder(rest.Length);
        char previous = '_';
        foreach (char c in rest)
        {
            if (IsLetter(c)) pascal.Append(!IsLetter(previous) ? char.ToUpperInvariant(c) : char.IsLower(previous) ? c : char.ToLowerInvariant(c));
            else if (IsDigit(c)) pascal.Append(c);
            previous = c;
        }

        return Started(pascal.Length == 0 ? value : pascal.ToString());
    }

    // Differences of casing and underscores do not count.
    private static string WithoutPrefix(string type, string value)
    {
        var prefix = type.Replace("_", string.Empty);
        int found = 0, i = 0;
        for (; i < value.Length && found < prefix.Length; i++)
        {
            if (value[i] == '_') continue;
            if (char.ToLowerInvariant(value[i]) != char.ToLowerInvariant(prefix[found++])) return value;
        }

        var rest = found == prefix.Length ? value.Substring(i).TrimStart('_') : string.Empty;
        return rest.Length == 0 ? value : rest;
    }

    private static string Started(string name) => IsDigit(name[0]) ? "_" + name : name;

    private static bool IsLetter(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z');

    private static bool IsDigit(char c) => c is >= '0' and <= '9';
}
