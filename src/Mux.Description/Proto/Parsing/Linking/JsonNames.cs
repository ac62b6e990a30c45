using System.Text;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Derives names in JSON.</summary>
internal static class JsonNames
{
    public static string Of(string field)
    {
        var name = new StringBuilder(field.Length);
        bool isStart = false;
        foreach (char character in field)
        {
            if (character != '_') name.Append(isStart && character is >= 'a' and <= 'z' ? (char)(character - 32) : character);
            isStart = character == '_';
        }

        return name.ToString();
    }

    /// <summary>Gets the name of a value without the name of its enum, in the form that must be unique.</summary>
    public static string OfValue(string type, string value)
    {
        var text = new StringBuilder(value.Length);
        bool isStart = true;
        foreach (char character in WithoutPrefix(type, value))
        {
            if (character != '_') text.Append(isStart ? Upper(character) : Lower(character));
            isStart = character == '_';
        }

        return text.ToString();
    }

    private static string WithoutPrefix(string type, string value)
    {
        int i = 0, j = 0;
        for (; i < value.Length; i++)
        {
            if (value[i] == '_') continue;
            while (j < type.Length && type[j] == '_') j++;
            if (j >= type.Length) break;
            if (Lower(value[i]) != Lower(type[j++])) return value;
        }

        while (j < type.Length && type[j] == '_') j++;
        if (j < type.Length) return value;
        while (i < value.Length && value[i] == '_') i++;
        return i == value.Length ? value : value.Substring(i);
    }

    private static char Lower(char character) => character is >= 'A' and <= 'Z' ? (char)(character + 32) : character;

    private static char Upper(char character) => character is >= 'a' and <= 'z' ? (char)(character - 32) : character;
}
