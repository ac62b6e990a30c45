using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Tool.Reporting.Results;

/// <summary>Serialization of results.</summary>
[JsonSerializable(typeof(ResultFile))]
[JsonSerializable(typeof(CapacityFile))]
[JsonSerializable(typeof(SweepFile))]
[JsonSerializable(typeof(SpecFile))]
[JsonSerializable(typeof(PingFile))]
internal sealed partial class ResultJson : JsonSerializerContext
{
    /// <summary>Serializes a result.</summary>
    public static byte[] Write<T>(T result)
        where T : class => PrintableJson.Of(JsonSerializer.SerializeToUtf8Bytes(result, typeof(T), Readable));

    /// <summary>Indented, names in snake case, and text without escapes: the file is not part of a web page.</summary>
    public static ResultJson Readable { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
