namespace Mux.Description.Proto.Parsing.Text;

/// <summary>Classes of characters.</summary>
internal static class Characters
{
    public static bool IsLetter(char character) => character is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') or '_';

    public static bool IsDigit(char character) => character is >= '0' and <= '9';

    public static bool IsLetterOrDigit(char character) => IsLetter(character) || IsDigit(character);

    public static bool IsHexDigit(char character) => character is (>= '0' and <= '9') or (>= 'a' and <= 'f') or (>= 'A' and <= 'F');

    public static bool IsSpace(char character) => character is ' ' or '\t' or '\r' or '\v' or '\f';

    /// <summary>Gets the value of a digit in any base up to 16; 16 for other characters.</summary>
    public static int Value(char character) => character switch
    {
        >= '0' and <= '9' => character - '0',
        >= 'a' and <= 'f' => character - 'a' + 10,
        >= 'A' and <= 'F' => character - 'A' + 10,
        _ => 16,
    };

    public static bool IsName(string text)
    {
        if (text.Length == 0 || !IsLetter(text[0])) return false;
        foreach (char character in text)
        {
            if (!IsLetterOrDigit(character)) return false;
        }

        return true;
    }
}
