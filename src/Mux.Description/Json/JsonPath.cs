using System.Globalization;
using System.Text;
using Mux.Description.Reading;

namespace Mux.Description.Json;

/// <summary>The place of the value that is written or read, for errors: <c>$.items[3].id</c>.</summary>
internal sealed class JsonPath
{
    private const int MaxShownKey = 64;

    // A field and an item of it for each message.
    private readonly Step[] _steps = new Step[2 * DescriptionLimits.Depth + 2];
    private int _count;
    private int _depth;

    /// <summary>Starts with the outermost message.</summary>
    public void Clear() => _count = _depth = 0;

    /// <summary>Enters a message.</summary>
    public void EnterMessage()
    {
        if (_depth == DescriptionLimits.Depth) JsonFault.Throw($"is nested deeper than allowed; allowed are {DescriptionLimits.Depth} messages in each other");
        _depth++;
    }

    public void LeaveMessage() => _depth--;

    public void EnterField(JsonField field) => _steps[_count++] = new Step(field, 0, 0);

    public void EnterItem() => _steps[_count++] = new Step(null, 0, 0);

    /// <summary>Sets the position of the item.</summary>
    public void SetItem(int index) => _steps[_count - 1] = new Step(null, index, 0);

    /// <summary>Sets the key of the entry as a part of the JSON.</summary>
    public void SetKey(long start, int length) => _steps[_count - 1] = new Step(null, (int)start, length + 1);

    public void Leave() => _count--;

    public override string ToString() => ToString([]);

    /// <param name="json">The JSON in which keys are.</param>
    public string ToString(ReadOnlySpan<byte> json)
    {
        var text = new StringBuilder("$");
        foreach (var step in _steps.AsSpan(0, _count))
        {
            if (step.Field is { } field) text.Append('.').Append(Shown(field.Field.JsonName));
            else if (step.KeyLength == 0) text.Append(CultureInfo.InvariantCulture, $"[{step.Index}]");
            else text.Append('[').Append(Quote(json.Slice(step.Index, step.KeyLength - 1))).Append(']');
        }

        return text.ToString();
    }

    /// <summary>Quotes a text of a peer: cut, and without characters that a terminal would obey.</summary>
    public static string Quote(ReadOnlySpan<byte> text) =>
        DescriptionFault.Quote(Encoding.Latin1.GetString(text[..Math.Min(text.Length, MaxShownKey + 1)]));

    private static string Shown(string name) => DescriptionFault.Quote(name)[1..^1];

    // The length of a key is one more than it is; 0 for an index.
    private readonly record struct Step(JsonField? Field, int Index, int KeyLength);
}
