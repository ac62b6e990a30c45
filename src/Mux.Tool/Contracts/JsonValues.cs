using System.Text.Json;

namespace Mux.Tool.Contracts;

/// <summary>Finds where the values of a JSON text begin and end, without reading what is in them.</summary>
internal static class JsonValues
{
    // Much deeper than a message may be: the reader of messages tells the path of what is too deep.
    private static readonly JsonReaderOptions s_options = new() { AllowMultipleValues = true, MaxDepth = 1 << 16 };

    /// <summary>Gets the values of a text one after the other, such as the lines of NDJSON.</summary>
    /// <exception cref="JsonException">The text is no JSON.</exception>
    /// <param name="json">The text.</param>
    /// <param name="begun">Receives where the value began that is not JSON.</param>
    public static List<Range> Split(ReadOnlySpan<byte> json, ref int begun)
    {
        var values = new List<Range>();
        var reader = new Utf8JsonReader(json, s_options);
        while (true)
        {
            begun = (int)reader.BytesConsumed;
            if (!reader.Read()) return values;
            values.Add(Take(ref reader, ref begun));
        }
    }

    /// <summary>Gets the elements of an array.</summary>
    /// <exception cref="JsonException">The text is no JSON.</exception>
    /// <param name="json">The array, and nothing else.</param>
    public static List<Range> Elements(ReadOnlySpan<byte> json)
    {
        int begun = 0;
        var elements = new List<Range>();
        var reader = new Utf8JsonReader(json, s_options);
        reader.Read();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray) elements.Add(Take(ref reader, ref begun));
        return elements;
    }

    public static bool IsArray(ReadOnlySpan<byte> value) => value is [(byte)'[', ..];

    private static Range Take(ref Utf8JsonReader reader, ref int begun)
    {
        begun = (int)reader.TokenStartIndex;
        reader.Skip();
        return begun..(int)reader.BytesConsumed;
    }
}
