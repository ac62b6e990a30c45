namespace Mux.TestSupport.EndToEnd;

/// <summary>One measurement of an observed instrument.</summary>
public sealed record MeterReading(string Instrument, long Value, KeyValuePair<string, object?>[] Tags)
{
    /// <summary>The value of a tag, or null.</summary>
    public string? Tag(string name) => Tags.FirstOrDefault(tag => tag.Key == name).Value?.ToString();

    /// <summary>Whether it is tagged with the address of this server.</summary>
    public bool IsAt(MuxAddress server) => server.Path.Length > 0 && server.Host.Length == 0
        ? Tag("server.address") == server.Path
        : Tag("server.address") == server.Host && Tag("server.port") == $"{server.Port}";
}
