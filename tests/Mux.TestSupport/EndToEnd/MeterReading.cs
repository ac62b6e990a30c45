namespace Mux.TestSupport.EndToEnd;

/// <summary>One measurement of an observed instrument.</summary>
public sealed record MeterReading(string Instrument, long Value, KeyValuePair<string, object?>[] Tags)
{
    /// <summary>The value of a tag, or null.</summary>
    public string? Tag(string name) => Tags.FirstOrDefault(tag => tag.Key == name).Value?.ToString();
}
