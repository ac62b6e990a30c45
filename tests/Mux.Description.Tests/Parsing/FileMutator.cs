using System.Text;

namespace Mux.Description.Tests.Parsing;

/// <summary>
/// Changes texts here and there: words and lines are lost, doubled, exchanged, or replaced by those of other files. Not by '#': protoc 35 takes all that follows
/// it in a value for a comment, where the format for text means the line.
/// </summary>
internal sealed class FileMutator
{
    private static readonly string[] s_words =
    [
        "message", "enum", "service", "rpc", "returns", "stream", "oneof", "map", "group", "optional", "required", "repeated", "reserved", "extensions", "extend",
        "option", "import", "public", "weak", "package", "syntax", "to", "max", "default", "json_name", "packed", "true", "false", "inf", "nan", "deprecated",
        "0", "1", "2", "-1", "5", "100", "19000", "536870911", "536870912", "2147483647", "2147483648", "0x10", "010", "09", "1.5", ".5", "1e3", "\"\"", "\"text\"", "'q'",
        "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", "=", ".", "-", ":", "/", "//", "/*", "*/", "\"", "\\", "int32", "string", "bytes", "double", "sint64", "bool",
        "features", "allow_alias", "lazy", "M", "A", "_", "é", "\u0001",
    ];

    private readonly Random _random;
    private readonly IReadOnlyList<List<string>> _texts;

    public FileMutator(int seed, IEnumerable<string> texts)
    {
        _random = new Random(seed);
        _texts = [.. texts.Select(Split)];
    }

    public string Next()
    {
        List<string> words = [.. _texts[_random.Next(_texts.Count)]];
        for (int i = _random.Next(4) == 0 ? _random.Next(2, 4) : 1; i > 0; i--) Change(words);
        return string.Concat(words);
    }

    // Half of the changes keep a file that can be read, mostly: the other half finds errors of syntax only.
    private void Change(List<string> words)
    {
        if (_random.Next(2) == 0) ChangeAny(words);
        else if (_random.Next(3) == 0) ChangeLine(words);
        else ChangeAlike(words);
        if (words.Count == 0) words.Add(";");
    }

    private void ChangeAny(List<string> words)
    {
        int at = _random.Next(words.Count);
        switch (_random.Next(7))
        {
            case 0:
                words.RemoveAt(at);
                break;
            case 1:
                words.Insert(at, words[at]);
                break;
            case 2:
                int other = _random.Next(words.Count);
                (words[at], words[other]) = (words[other], words[at]);
                break;
            case 3:
                words[at] = s_words[_random.Next(s_words.Length)];
                break;
            case 4:
                words.Insert(at, s_words[_random.Next(s_words.Length)] + " ");
                break;
            case 5:
                var from = _texts[_random.Next(_texts.Count)];
                int start = _random.Next(from.Count);
                words.InsertRange(at, from.GetRange(start, Math.Min(from.Count - start, _random.Next(1, 12))));
                break;
            default:
                words.RemoveRange(at, Math.Min(words.Count - at, _random.Next(1, 6)));
                break;
        }
    }

    // A number becomes another number, and a name another name.
    private void ChangeAlike(List<string> words)
    {
        int at = words.FindIndex(_random.Next(words.Count), static word => char.IsAsciiLetterOrDigit(word[0]));
        if (at < 0) return;
        bool isNumber = char.IsAsciiDigit(words[at][0]);
        var source = _random.Next(3) == 0 ? _texts[_random.Next(_texts.Count)] : words;
        int from = source.FindIndex(_random.Next(source.Count), word => isNumber ? char.IsAsciiDigit(word[0]) : char.IsAsciiLetter(word[0]));
        if (from >= 0) words[at] = source[from];
    }

    private void ChangeLine(List<string> words)
    {
        int start = words.LastIndexOf("\n", _random.Next(words.Count)) + 1;
        int end = words.IndexOf("\n", start);
        if (end < 0) return;
        var line = words.GetRange(start, end + 1 - start);
        if (_random.Next(3) != 0) words.RemoveRange(start, line.Count);
        int target = words.LastIndexOf("\n", _random.Next(words.Count)) + 1;
        if (_random.Next(3) != 0) words.InsertRange(target, line);
    }

    private static List<string> Split(string text)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        foreach (char character in text)
        {
            bool isWord = char.IsAsciiLetterOrDigit(character) || character == '_';
            if (word.Length > 0 && !(isWord && (char.IsAsciiLetterOrDigit(word[^1]) || word[^1] == '_')))
            {
                words.Add(word.ToString());
                word.Clear();
            }

            word.Append(character);
        }

        words.Add(word.ToString());
        return words;
    }
}
