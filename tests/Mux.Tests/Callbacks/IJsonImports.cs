using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Callbacks;

/// <summary>A service whose messages are no protobuf, those of its callbacks included.</summary>
[MuxService("test.JsonImports", Serializer = typeof(JsonSerializer<JsonRowContext>))]
public interface IJsonImports
{
    ValueTask<JsonRow> Import(JsonRow first, IJsonRows rows, CancellationToken cancellationToken = default);
}

[MuxCallback]
public interface IJsonRows
{
    ValueTask<JsonRow> Follow(JsonRow last, CancellationToken cancellationToken = default);

    ValueTask Done();
}

public sealed record JsonRow(string Name, int Number);

[JsonSerializable(typeof(JsonRow))]
public sealed partial class JsonRowContext : JsonSerializerContext, IJsonContext<JsonRowContext>;
