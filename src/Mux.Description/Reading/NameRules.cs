using System.Text;

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
        foreach (char c in name) isValid &= IsLetterOrDigit(c) || c is '.' or '_' or '-';
        if (!isValid)
        {
            DescriptionFault.Throw(place, $"has the wire name {DescriptionFault.Quote(name)}; "
                + $"allowed are 1 to {DescriptionLimits.WireNameLength} letters, digits, '.', '_' and '-'");
        }

        return name;
    }

    /// <summary>Checks the path of a file, by which others import it and below which tools write it.</summary>
    public static string CheckPath(string path, string place)
    {
        bool isValid = path.Length is > 0 and <= DescriptionLimits.FullNameLength;
        foreach (char c in path) isValid &= !char.IsControl(c) && c is not ('\\' or ':' or '"' or '*' or '?' or '<' or '>' or '|');
        foreach (var part in path.Split('/')) isValid &= part is not ("" or "." or "..");
        if (!isValid)
        {
            DescriptionFault.Throw(place, $"has the path {DescriptionFault.Quote(path)}; "
                + $"allowed are 1 to {DescriptionLimits.FullNameLength} characters, parts separated by '/', none of them '.' or '..'");
        }

        return path;
    }

    /// <summary>Gets the JSON name that protobuf derives from the name of a field.</summary>
    public static string JsonName(string field)
    {
        if (field.IndexOf('_') < 0) return field;
        var name = new StringBuilder(field.Length);
        for (int i = 0; i < field.Length; i++)
        {
            if (field[i] != '_') name.Append(i > 0 && field[i - 1] == '_' ? char.ToUpperInvariant(field[i]) : field[i]);
        }

        return name.ToString();
    }

    /// <summary>True for letters, digits and '_'.</summary>
    public static bool IsWord(string name)
    {
        if (name.Length == 0 || IsDigit(name[0])) return false;
        foreach (char c in name)
        {
            if (!IsLetterOrDigit(c) && c != '_') return false;
        }

        return true;
    }

    private static bool IsLetterOrDigit(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') || IsDigit(c);

    private static bool IsDigit(char c) => c is >= '0' and <= '9';
}
