namespace Mux.Description.Reading;

/// <summary>Checks the names in descriptions: they are shown to users, and become keys and names of files.</summary>
internal static class NameRules
{
    /// <summary>Checks the name of a type, field, value or method: letters, digits and '_'.</summary>
    public static string CheckWord(string name, string place)
    {
        if (name.Length is 0 or > DescriptionLimits.NameLength || !IsWord(name))
        {
            DescriptionFault.Throw(place, $"has the name {DescriptionFault.Quote(name)}; "
                + $"allowed are 1 to {DescriptionLimits.NameLength} letters, digits and '_', without a digit at the beginning");
        }

        return name;
    }

    /// <summary>Checks the name of a package: words separated by dots, or nothing.</summary>
    public static string CheckPackage(string name, string place)
    {
        if (name.Length == 0) return name;
        if (name.Length > DescriptionLimits.NameLength) CheckWord(name, place);
        foreach (var word in name.Split('.')) CheckWord(word, place);
        return name;
    }

    /// <summary>Checks a name on the wire.</summary>
    public static string CheckWireName(string name, string place)
    {
        bool isValid = name.Length is > 0 and <= DescriptionLimits.WireNameLength;
        foreach (char c in name) isValid &= char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-';
        if (!isValid)
        {
            DescriptionFault.Throw(place, $"has the wire name {DescriptionFault.Quote(name)}; "
                + $"allowed are 1 to {DescriptionLimits.WireNameLength} letters, digits, '.', '_' and '-'");
        }

        return name;
    }

    /// <summary>Gets the JSON name that protobuf derives from the name of a field.</summary>
    public static string JsonName(string field) => string.Create(field.Length - field.AsSpan().Count('_'), field, static (span, source) =>
    {
        int at = 0;
        for (int i = 0; i < source.Length; i++)
        {
            if (source[i] != '_') span[at++] = i > 0 && source[i - 1] == '_' ? char.ToUpperInvariant(source[i]) : source[i];
        }
    });

    private static bool IsWord(string name)
    {
        if (char.IsAsciiDigit(name[0])) return false;
        foreach (char c in name)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c != '_') return false;
        }

        return true;
    }
}
